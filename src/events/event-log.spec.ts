import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '../../test/support/database.js';
import { openLog, type TestLog } from '../../test/support/event-log.js';
import type { NewRunEvent } from './run-event.js';

describe('EventLog', () => {
  let url: string;
  let drop: () => Promise<void>;
  let log: TestLog;

  beforeAll(async () => {
    ({ url, drop } = await createTestDatabase());
    log = await openLog(url);
  });
  afterAll(async () => {
    await log.close();
    await drop();
  });

  it('numbers events by one in a thread', async () => {
    const threadId = await log.thread();
    const events = await log.events.append(threadId, `run-${threadId}`, [text('a'), text('b')]);
    expect(events.map((event) => event.id)).toEqual([1, 2]);
    expect((await log.events.read(threadId, 0, 10)).map((event) => event.event)).toEqual(
      events.map((event) => event.event),
    );
  });
});

function text(delta: string): NewRunEvent {
  return { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta };
}
