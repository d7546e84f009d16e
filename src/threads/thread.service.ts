import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { StewardError } from '../common/steward-error.js';
import { decodeTimeCursor, encodeTimeCursor } from '../common/time-cursor.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { CLIENT_ID_PATTERN, titleOf, type Thread } from './thread.js';
import { ThreadRepository } from './thread.repository.js';

/** Conversations and who owns them. To anyone but its owner a thread does not exist. */
@Injectable()
export class ThreadService {
  constructor(
    private readonly threads: ThreadRepository,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * The thread that a message goes into: a new one without `threadId`; with it the user's own, made
   * when nobody has used the id yet (PROTOCOL §11). Two first uses at once have one winner.
   * @param firstMessage gives a new thread its title.
   * @throws StewardError NOT_FOUND when the thread is another user's; INVALID_ACTION_INPUT when the
   *   id is not 1 to 128 safe characters.
   */
  async claim(threadId: string | undefined, userId: string, firstMessage = ''): Promise<Thread> {
    const id = threadId ?? newId('thr');
    if (!CLIENT_ID_PATTERN.test(id)) {
      throw new StewardError('INVALID_ACTION_INPUT', 'The thread id is not valid.', {
        issues: [
          {
            path: 'threadId',
            message: 'has characters that an id may not have, or is too long',
            expected: '1 to 128 of A-Z a-z 0-9 . _ ~ : -',
          },
        ],
      });
    }
    const now = this.clock.now();
    await this.threads.insertIfFree({
      id,
      userId,
      title: titleOf(firstMessage),
      createdAt: now,
      updatedAt: now,
    });
    return this.require(id, userId);
  }

  /** @throws StewardError NOT_FOUND when there is none, or it is another user's. */
  async require(threadId: string, userId: string): Promise<Thread> {
    return found(await this.threads.findOwned(threadId, userId));
  }

  /**
   * Keeps a thread from being deleted until the unit of work ends. Who writes to its runs takes it
   * first, as the deletion does, so that neither waits for the other in a circle.
   * @returns null when there is none, or it is another user's.
   */
  keep(threadId: string, userId: string): Promise<Thread | null> {
    return this.threads.keepOwned(threadId, userId);
  }

  /** The user's most recently used thread. */
  latest(userId: string): Promise<Thread | null> {
    return this.threads.latest(userId);
  }

  /**
   * The user's threads, most recently used first.
   * @throws StewardError INVALID_ACTION_INPUT for a cursor that was not given out here.
   */
  async list(
    userId: string,
    options: { limit: number; cursor?: string },
  ): Promise<{ threads: Thread[]; nextCursor: string | null }> {
    const cursor =
      options.cursor === undefined ? null : decodeTimeCursor(options.cursor, CLIENT_ID_PATTERN);
    const rows = await this.threads.page(userId, cursor, options.limit + 1);
    const threads = rows.slice(0, options.limit);
    const last = threads.at(-1);
    return {
      threads,
      nextCursor:
        rows.length > options.limit && last
          ? encodeTimeCursor({ at: last.updatedAt, id: last.id })
          : null,
    };
  }

  /** Locks all threads of a user until the unit of work ends. @returns their ids. */
  lockAll(userId: string): Promise<string[]> {
    return this.threads.lockAll(userId);
  }

  /**
   * Deletes a thread with its messages, runs and events.
   * @param check runs under the thread's lock, before anything is deleted; its throw stops it.
   * @throws StewardError NOT_FOUND.
   */
  async delete(
    threadId: string,
    userId: string,
    check: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    await this.uow.run(async () => {
      found(await this.threads.lockOwned(threadId, userId));
      await check();
      await this.threads.delete(threadId);
    });
  }
}

function found(thread: Thread | null): Thread {
  if (!thread) throw new StewardError('NOT_FOUND', 'There is no such thread.');
  return thread;
}
