import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';

/** A ticket that was not used yet; of its secret only the hash is kept. */
export interface StoredTicket {
  id: string;
  userId: string;
  sessionId: string;
  threadId: string;
  expiresAt: Date;
}

/** All that is read from and written to `stream_tickets`. */
@Injectable()
export class StreamTicketRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /**
   * Inserts a ticket; the user's expired ones go with it, and the oldest that are more than `keep`.
   * @param tokenHash SHA-256 of the ticket.
   */
  async insert(
    tokenHash: Buffer,
    { id, userId, sessionId, threadId, expiresAt }: StoredTicket,
    { now, keep }: { now: Date; keep: number },
  ): Promise<void> {
    await this.uow.manager.query(
      `WITH stale AS (
         DELETE FROM stream_tickets WHERE token_hash IN (
           SELECT token_hash FROM (
             SELECT token_hash, expires_at, row_number() OVER (ORDER BY expires_at DESC) AS place
             FROM stream_tickets WHERE user_id = $3
           ) own WHERE place >= $8 OR expires_at <= $7
         )
       )
       INSERT INTO stream_tickets (token_hash, id, user_id, session_id, thread_id, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [tokenHash, id, userId, sessionId, threadId, expiresAt, now, keep],
    );
  }

  /** Deletes a ticket and tells what it was for: of two that try at once, one gets it. */
  async take(tokenHash: Buffer): Promise<StoredTicket | null> {
    const [rows] = await this.uow.manager.query<[StoredTicket[], number]>(
      `DELETE FROM stream_tickets WHERE token_hash = $1
       RETURNING id, user_id AS "userId", session_id AS "sessionId", thread_id AS "threadId",
         expires_at AS "expiresAt"`,
      [tokenHash],
    );
    return rows[0] ?? null;
  }
}
