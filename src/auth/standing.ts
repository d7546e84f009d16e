import { Injectable } from '@nestjs/common';
import { StewardError } from '../common/steward-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Principal } from './principal.js';

const SESSION = `
  SELECT 1 FROM users u JOIN sessions s ON s.user_id = u.id
  WHERE u.id = $1 AND u.disabled_at IS NULL AND s.id = $2 AND s.ended_at IS NULL
  FOR SHARE`;
const ACCOUNT = 'SELECT 1 FROM users WHERE id = $1 AND disabled_at IS NULL FOR SHARE';

/** Whether a person who came in may still act, as the database says at the moment of a write. */
@Injectable()
export class Standing {
  constructor(private readonly uow: UnitOfWork) {}

  /**
   * Keeps the account active and the session going until the unit of work ends: a sign-out or the end
   * of an account that comes meanwhile waits, and finds what was written; one that came before is
   * seen here.
   * @throws StewardError CREDENTIAL_REVOKED.
   */
  async hold({ userId, sessionId }: Pick<Principal, 'userId' | 'sessionId'>): Promise<void> {
    const rows = await (sessionId === null
      ? this.uow.manager.query<object[]>(ACCOUNT, [userId])
      : this.uow.manager.query<object[]>(SESSION, [userId, sessionId]));
    if (rows.length > 0) return;
    throw new StewardError('CREDENTIAL_REVOKED', 'The session has ended; sign in again.');
  }
}
