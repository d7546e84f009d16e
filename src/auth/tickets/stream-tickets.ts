import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { StewardError } from '../../common/steward-error.js';
import { AccessTokens } from '../access-tokens.js';
import type { Principal } from '../principal.js';
import { TokenIssuer } from '../token-issuer.js';
import { StreamTicketRepository } from './stream-ticket.repository.js';

const TICKET_BYTES = 32;
const TICKET = /^[\w-]{43}$/;
/** Milliseconds in which a ticket must be used. */
const LIFE_MS = 60_000;
/** Unused tickets of a user; the oldest goes when there is one more. */
const MAX_UNUSED = 50;

/** What a client that cannot send headers (EventSource) puts into the address of a stream. */
export interface StreamTicket {
  ticket: string;
  expiresAt: Date;
}

/**
 * Tickets that stand for a bearer token in a URL, where a token must never be: each opens the stream
 * of one thread, once, for a minute, for as long as the session it was taken under goes on.
 */
@Injectable()
export class StreamTickets {
  constructor(
    private readonly tickets: StreamTicketRepository,
    private readonly tokens: AccessTokens,
    private readonly issuer: TokenIssuer,
    private readonly clock: Clock,
  ) {}

  /**
   * @param threadId a thread of the principal.
   * @throws StewardError FORBIDDEN for a caller without a session.
   */
  async issue({ userId, sessionId }: Principal, threadId: string): Promise<StreamTicket> {
    if (sessionId === null) throw new StewardError('FORBIDDEN', 'A ticket needs a session.');
    const now = this.clock.now();
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    const expiresAt = new Date(now.getTime() + LIFE_MS);
    await this.tickets.insert(
      sha256(ticket),
      { id: newId('key'), userId, sessionId, threadId, expiresAt },
      { now, keep: MAX_UNUSED },
    );
    return { ticket, expiresAt };
  }

  /**
   * Uses a ticket up, whatever comes of it.
   * @returns who took it, as session and account stand now.
   * @throws StewardError CREDENTIAL_INVALID when it is unknown, used, or for another thread;
   * CREDENTIAL_EXPIRED; otherwise as for a bearer token.
   */
  async redeem(ticket: string, threadId: string): Promise<Principal> {
    const taken = TICKET.test(ticket) ? await this.tickets.take(sha256(ticket)) : null;
    if (!taken || taken.threadId !== threadId) {
      throw new StewardError('CREDENTIAL_INVALID', 'The ticket is not valid; each works once.');
    }
    if (taken.expiresAt <= this.clock.now()) {
      throw new StewardError('CREDENTIAL_EXPIRED', 'The ticket has expired; get a new one.');
    }
    const { id: jti, userId, sessionId, expiresAt } = taken;
    return this.tokens.principal(userId, sessionId, {
      issuer: this.issuer.issuer,
      jti,
      expiresAt,
    });
  }
}

/** A fast hash is enough: the ticket has 256 random bits. */
function sha256(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest();
}
