import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EventRepository, SizedEvent } from './event-repository.js';
import { RecentEvents } from './recent-events.js';

const event = (id: number, bytes = 100): SizedEvent => ({
  logged: {
    threadId: 't',
    runId: 'r',
    id,
    event: { type: 'TEXT_MESSAGE_END', messageId: 'm', timestamp: 0 },
  },
  bytes,
});
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n);

describe('RecentEvents', () => {
  let head: number;
  let queries: number[];
  let recent: RecentEvents;

  beforeEach(() => {
    head = 0;
    queries = [];
    const page: EventRepository['page'] = async (_thread, after, limit) => {
      queries.push(after);
      return range(after + 1, Math.min(head, after + limit)).map((id) => event(id));
    };
    recent = new RecentEvents({ page } as EventRepository);
  });

  const ids = async (after: number): Promise<number[]> =>
    (await recent.after('t', after)).map((logged) => logged.id);

  it('serves what was just appended without a query, to any number of followers', async () => {
    recent.append('t', [event(1), event(2)]);
    recent.append('t', [event(3)]);
    for (let n = 0; n < 10; n += 1) {
      expect(await ids(0)).toEqual([1, 2, 3]);
      expect(await ids(2)).toEqual([3]);
    }
    expect(queries).toEqual([]);
  });

  it('shares one query among followers at the same place, and keeps its answer', async () => {
    head = 5;
    const answers = await Promise.all([ids(2), ids(2), ids(2)]);
    expect(answers).toEqual([
      [3, 4, 5],
      [3, 4, 5],
      [3, 4, 5],
    ]);
    expect(await ids(3)).toEqual([4, 5]);
    expect(queries).toEqual([2]);
  });

  it('does not share a query that began before the thread grew', async () => {
    const before = ids(0);
    head = 1;
    recent.grown('t', 1);
    expect(await ids(0)).toEqual([1]);
    await before;
    expect(queries).toEqual([0, 0]);
  });

  it('reads from the database what is older than what it keeps', async () => {
    head = 600;
    recent.append(
      't',
      range(1, 600).map((id) => event(id)),
    );
    expect(await ids(0)).toEqual(range(1, 200));
    expect(queries).toEqual([0]);
    expect(await ids(100)).toEqual(range(101, 300));
    expect(queries).toEqual([0]);
  });

  it('keeps a thread within its bytes, and nothing of an event that is larger', async () => {
    head = 3;
    recent.append('t', [event(1, 700_000), event(2, 700_000)]);
    expect(await ids(1)).toEqual([2]);
    expect(queries).toEqual([]);
    recent.append('t', [event(3, 2_000_000)]);
    expect(await ids(2)).toEqual([3]);
    expect(queries).toEqual([2]);
  });

  it('starts anew after a gap, and when ids begin again', async () => {
    head = 9;
    recent.append('t', [event(1), event(2)]);
    recent.append('t', [event(9)]);
    expect(await ids(8)).toEqual([9]);
    expect(queries).toEqual([]);
    expect(await ids(1)).toEqual(range(2, 9));
    expect(queries).toEqual([1]);
    recent.append('t', [event(1)]);
    expect(await ids(0)).toEqual([1]);
    expect(queries).toEqual([1]);
  });

  it('forgets a thread that another replica says is shorter', async () => {
    recent.append('t', [event(1), event(2)]);
    head = 1;
    recent.grown('t', 1);
    expect(await ids(0)).toEqual([1]);
    expect(queries).toEqual([0]);
  });
});
