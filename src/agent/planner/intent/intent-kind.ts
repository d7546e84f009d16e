/** What a user can want, as far as the planner knows. */
export const INTENT_KINDS = [
  'declined',
  'dismiss',
  'help',
  'greet',
  'thank',
  'bye',
  'free_busy',
  'availability',
  'contacts',
  'memory',
  'list_invitations',
  'accept_invite',
  'reject_invite',
  'share',
  'delete',
  'update',
  'look_up',
  'create',
  'unknown',
] as const;

export type IntentKind = (typeof INTENT_KINDS)[number];

/** A sign of an intent in a folded message, and how much it says. */
export interface IntentRule {
  kind: IntentKind;
  score: number;
  pattern: RegExp;
}

/** Intents that are about an event that exists. */
export type TargetKind = 'delete' | 'update' | 'share' | 'accept_invite' | 'reject_invite';

export function isTargetKind(kind: IntentKind): kind is TargetKind {
  return (
    kind === 'delete' ||
    kind === 'update' ||
    kind === 'share' ||
    kind === 'accept_invite' ||
    kind === 'reject_invite'
  );
}
