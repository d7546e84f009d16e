/** What was made, changed or found, ready to stand in a sentence. */
export interface EventWords {
  title: string;
  when: string;
  people: string;
  place: string;
}

/** A refusal of something that no module does yet. */
export type MissingFeature = 'free_busy';

/** Everything the planner says, in one language. Values in the arguments are data of others. */
export interface Phrases {
  greeting: string;
  thanks: string;
  bye: string;
  dismissed: string;
  /** Opens the list of what the planner can do. */
  helpIntro: string;
  /** Opens the list of examples. */
  helpExamples: string;
  /** Help itself is not allowed. */
  helpDenied: string;
  /** Modules that are allowed but that the planner does not know how to use. */
  otherModules(modules: string[]): string;
  /** When the caller may use nothing that the planner knows. */
  noAbilities: string;
  /** What one can say, with the capability it needs. */
  examples: ReadonlyArray<readonly [capability: string, said: string]>;
  /** One line per capability id that the planner knows. */
  abilities: Readonly<Record<string, string>>;
  notUnderstood: string;
  /** A yes in words to a call that waited for an approval, and that was given up by just that. */
  wordsNeverApprove: string;
  /** What the agent does by itself at set times is made elsewhere. */
  scheduledElsewhere: string;
  tooLong: string;
  nothingSaid: string;
  declined: string;
  oneAtATime: string;
  missingFeature: Readonly<Record<MissingFeature, string>>;
  impossibleDate(date: string): string;

  askTitle: string;
  askDay(title: string): string;
  askTime(title: string): string;
  /** The end that was said lies before the start. */
  askEnd(title: string, start: string): string;
  created(event: EventWords): string;
  createdSome(made: string[], failed: string[]): string;
  assumedTime(time: string): string;
  inThePast: string;
  noReminder: string;
  leftOut(fields: string[]): string;

  listed(period: string, count: number): string;
  nothingListed(period: string): string;
  nothingMatches(wanted: string, period: string): string;
  more: string;
  comingDays: string;
  invitationsListed(count: number): string;
  noInvitations: string;
  /** Nothing stands in the user's way: all of the period is free. */
  free(period: string): string;
  /** Something does; the lines follow. */
  busy(period: string, count: number): string;
  freeSlots(day: string, slots: string[]): string;
  placeOf(title: string, place: string): string;
  from(person: string): string;
  line(event: EventWords): string;

  askWhich(action: TargetAction): string;
  noMatch(action: TargetAction, wanted: string, period: string): string;
  several(action: TargetAction, count: number): string;
  /** Everything of a period was meant; one at a time is asked for. */
  oneOfMany(action: TargetAction, count: number): string;
  confirmDelete(event: EventWords): string;
  tooManyToSearch: string;
  notChosen: string;

  deleted(event: EventWords): string;
  updated(event: EventWords): string;
  unchanged(title: string): string;
  askChange(title: string): string;
  cannotChange(title: string): string;
  askShareWith(title: string): string;
  needEmail(names: string): string;
  shared(title: string, people: string, count: number): string;
  sharedUnknown(people: string): string;
  sharedFailed(people: string): string;
  accepted(event: EventWords): string;
  rejected(event: EventWords): string;
  left(event: EventWords): string;

  /** `method` is the capability id that failed; what an error means depends on it. */
  failed(method: string, code: string, detail: string): string;
  unreadable: string;
}

export type TargetAction =
  'read' | 'delete' | 'update' | 'share' | 'accept_invite' | 'reject_invite' | 'leave';
