import { EN_ERRORS, EN_METHOD_ERRORS } from './errors-en.js';
import type { EventWords, Phrases, TargetAction } from './phrases.js';

const ACTION: Record<TargetAction, string> = {
  read: 'show',
  delete: 'delete',
  update: 'change',
  share: 'share',
  accept_invite: 'accept',
  reject_invite: 'decline',
  leave: 'leave',
};

const EXAMPLES = [
  ['calendar.create', 'Schedule a meeting with Amy tomorrow at 3pm for one hour'],
  ['calendar.read', "What's on my calendar tomorrow?"],
  ['calendar.update', 'Move the budget meeting to Friday at 4pm'],
  ['calendar.delete', 'Cancel my meeting with Amy tomorrow'],
] as const;

const examples = `For example:\n${EXAMPLES.map(([, said]) => `- ${said}`).join('\n')}`;

function about(event: EventWords): string {
  const details = [event.place && `at ${event.place}`, event.people && `with ${event.people}`];
  const facts = [event.when, ...details].filter(Boolean).join(', ');
  return facts === '' ? `"${event.title}"` : `"${event.title}", ${facts}`;
}

export const EN: Phrases = {
  greeting: `Hello! I can schedule, look up and change events in your calendar. ${examples}`,
  bye: 'Goodbye!',
  thanks: "You're welcome.",
  dismissed: 'All right, I changed nothing.',
  helpIntro: 'I am the offline assistant. This is what I can do now:',
  helpExamples: 'You can say:',
  helpDenied:
    'You are not allowed to see the list of functions, so I cannot tell what you can do here. An administrator can change that.',
  otherModules: (modules) =>
    `These modules are open to you too, but I, the offline assistant, cannot use them: ${modules.join(', ')}.`,
  noAbilities:
    'You are not allowed to use any calendar function at the moment; an administrator can change that.',
  examples: EXAMPLES,
  abilities: {
    'calendar.read': 'look up events: a day, a week, or when a certain meeting is',
    'calendar.create': 'create an event: time, length, people, place; all-day events too',
    'calendar.update': 'change an event: its time, name or place, make it longer or later',
    'calendar.delete': 'delete an event',
    'calendar.share': 'share an event with someone by email',
    'calendar.accept_invite': 'accept an invitation',
    'calendar.reject_invite': 'decline an invitation',
    'calendar.free_busy': 'look up when somebody is free',
    'calendar.find_slot': 'find a time at which everybody is free',
    'contacts.read': 'look up phone numbers and emails of contacts',
    'contacts.create': 'add a contact',
    'contacts.update': "change a contact's number or email",
    'contacts.delete': 'delete a contact',
    'contacts.merge': 'find contacts that are one person, and merge them',
    'memory.read': 'tell what I remember about you',
    'memory.update': 'remember what you prefer',
    'memory.forget': 'forget what you name',
  },
  notUnderstood: `Sorry, I did not understand that. I am the offline assistant and only know simple calendar requests. ${examples}`,
  wordsNeverApprove:
    'Nothing was done: a reply in words is no approval, and what waited for one was dropped. Tell me again what to do, and confirm it with the approval button.',
  scheduledElsewhere:
    'I am the offline assistant and cannot manage scheduled tasks, so nothing was done. Please use POST /schedules to create one, GET /schedules to see them, and DELETE /schedules/{id} to cancel one.',
  tooLong: `That is too long for me to understand. Please tell me in a sentence or two what to do. ${examples}`,
  nothingSaid: `I see no request in that. ${examples}`,
  declined: 'All right, I will not change any event.',
  oneAtATime:
    'That seems to be more than one request. I do one thing at a time; please tell me separately.',
  missingFeature: {
    free_busy:
      'I cannot look up when other people are free yet, only your own calendar: "What do I have tomorrow afternoon?"',
  },
  impossibleDate: (date) => `There is no "${date}" in the calendar. Please give another date.`,

  askTitle: 'What should the event be called? For example "Project meeting".',
  askDay: (title) => `When should "${title}" be? For example "tomorrow at 3pm".`,
  askTime: (title) => `At what time should "${title}" be? For example "3pm", or say "all day".`,
  askEnd: (title, start) =>
    `"${title}" starts at ${start}, and the end you gave is before that. When does it end? For example "4pm".`,
  created: (event) => `Created ${about(event)}.`,
  createdSome: (made, failed) =>
    `${made.length > 0 ? `Created: ${made.join(', ')}.` : 'Nothing was created.'} Not created: ${failed.join('; ')}.`,
  assumedTime: (time) =>
    `You did not say morning or afternoon, so I took ${time}; tell me if another time is right.`,
  inThePast: 'Note that this time is already past.',
  noReminder: "I do not send reminders; it's only in your calendar.",
  leftOut: (fields) =>
    `The calendar did not accept these, so I left them out: ${fields.join(', ')}.`,

  listed: (period, count) => `${count === 1 ? '1 event' : `${count} events`} ${period}:`,
  nothingListed: (period) => `Nothing planned ${period}.`,
  nothingMatches: (wanted, period) => `I found no event ${wanted} ${period}.`,
  more: 'There are more; name a shorter period to see them all.',
  comingDays: 'in the next 30 days',
  invitationsListed: (count) =>
    `${count === 1 ? '1 invitation is' : `${count} invitations are`} waiting for your answer:`,
  free: (period) => `Nothing planned ${period}; you are free.`,
  busy: (period, count) =>
    `${count === 1 ? '1 event' : `${count} events`} ${period}; then you are not free:`,
  freeSlots: (day, slots) =>
    slots.length === 0
      ? `${day}: no free time in working hours.`
      : `${day}: free in working hours ${slots.join(', ')}`,
  placeOf: (title, place) =>
    place ? `"${title}" is at ${place}.` : `No place is given for "${title}".`,
  noInvitations: 'No invitation is waiting for your answer.',
  from: (person) => `from ${person}`,
  line: (event) => {
    const details = [event.place, event.people && `with ${event.people}`].filter(Boolean);
    return `${event.when ? `${event.when} ` : ''}${event.title}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
  },

  askWhich: (action) => `Which event should I ${ACTION[action]}? Tell me its name or time.`,
  noMatch: (action, wanted, period) =>
    action === 'accept_invite' || action === 'reject_invite'
      ? `I found no invitation ${wanted} that is waiting for your answer, so nothing was done.`
      : `I found no event ${wanted} ${period}, so nothing was done.`,
  several: (action, count) =>
    `${count} events match. Which one should I ${ACTION[action]}? You can say "the first one":`,
  oneOfMany: (action, count) =>
    `There are ${count} events. To be safe I ${ACTION[action]} one at a time; which one first? You can say "the first one":`,
  confirmDelete: (event) => `Do you mean ${about(event)}? Say "yes" and I delete it.`,
  tooManyToSearch:
    'There are too many events in that period for me to go through. Please name a more precise date.',
  notChosen: 'I did not understand which one you mean. Say "the first one", or its time.',

  deleted: (event) => `Deleted ${about(event)}.`,
  updated: (event) => `Updated ${about(event)}.`,
  unchanged: (title) => `"${title}" is like that already; nothing to change.`,
  askChange: (title) => `What should change in "${title}"? For example "move it to Friday at 4pm".`,
  cannotChange: (title) =>
    `"${title}" has no time that can be changed like that, so I left it alone.`,
  askShareWith: (title) => `With whom should I share "${title}"? Please give me an email address.`,
  needEmail: (names) =>
    `Your contacts have no email address of ${names}. Please give me the address itself.`,
  shared: (title, people, count) =>
    `Invited ${count === 1 ? '1 person' : `${count} people`} to "${title}": ${people} (no reply yet).`,
  sharedUnknown: (people) => `No user here has this address, so it was not shared with: ${people}.`,
  sharedFailed: (people) => `Could not share with: ${people}.`,
  accepted: (event) => `Accepted the invitation to ${about(event)}.`,
  rejected: (event) => `Declined the invitation to ${about(event)}.`,

  left: (event) => `You left ${about(event)}.`,

  failed: (method, code, detail) =>
    EN_METHOD_ERRORS[`${method} ${code}`] ??
    EN_ERRORS[code] ??
    `That did not work${detail ? `: ${detail}` : '.'}`,
  unreadable: 'The operation gave a result that I cannot read. Please check your calendar.',
};
