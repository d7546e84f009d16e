/** Why a session ended before its time. */
export type SessionEnd = 'signed_out' | 'token_reused' | 'account_disabled';

/** Sessions of one user that have just ended. */
export interface EndedSessions {
  userId: string;
  sessionIds: string[];
  reason: SessionEnd;
}
