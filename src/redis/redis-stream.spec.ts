import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { RedisClients } from './redis-clients.js';
import { RedisStream } from './redis-stream.js';

/** A Redis whose stream has these entries once it is read, and no more after that. */
function redisWith(entries: [id: string, text: string][]): RedisClients {
  const redis = {
    xrevrange: () => Promise.resolve([]),
    xread: (...args: unknown[]) => {
      const from = String(args.at(-1));
      const rest = entries.filter(([id]) => id > from);
      const found = rest.map(([id, text]) => [id, ['d', text]]);
      return found.length > 0 ? Promise.resolve([['key', found]]) : new Promise(() => undefined);
    },
  };
  const link = {
    up: true,
    open: () => undefined,
    close: () => undefined,
    onConnect: () => undefined,
    run: (commands: (redis: unknown) => unknown) => commands(redis),
  };
  return { prefix: 'steward:test', link: () => link } as unknown as RedisClients;
}

describe('a reader of a Redis stream', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('says that something was missed where an entry cannot be taken, and goes on behind it', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const stream = new RedisStream(
      redisWith([
        ['1-0', 'one'],
        ['2-0', 'two'],
      ]),
      'events',
    );
    const seen: string[] = [];
    stream.onGap(() => seen.push('gap'));
    await new Promise<void>((resolve) => {
      stream.openReader((text) => {
        seen.push(text);
        if (text === 'two') resolve();
        else throw new Error('no');
      });
    });
    expect(seen).toEqual(['gap', 'one', 'gap', 'two']);
    expect(error).toHaveBeenCalledTimes(1);
  });
});
