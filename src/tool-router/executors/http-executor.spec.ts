import { Logger } from '@nestjs/common';
import { describe, expect, it, jest } from '@jest/globals';
import { StewardError } from '../../common/steward-error.js';
import { toCliDocument } from '../cli-document.js';
import {
  answer,
  asked,
  direct,
  door,
  executors,
  never,
  recordOf,
  request,
  store,
  stored,
  useToolDoor,
} from './testing/executor-stage.js';

useToolDoor();

const cancelled = () => recordOf(request(), new StewardError('CANCELLED', 'Left.'));

describe('HttpExecutor', () => {
  it('asks the tool door exactly what project-cli asks, and gives the record of the router', async () => {
    const record = recordOf(request(), { items: [], count: 0 });
    answer(record);
    const { http, child } = await executors();
    expect(await http.execute(request(), never())).toEqual(record);
    expect(await child.execute(request(), never())).toEqual(record);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toEqual(asked[1]);
    expect(direct).toEqual([]);
  });

  it.each([
    ['no call', { arguments: '{"module":"calendar"}' }],
    ['an id that no header carries', { toolCallId: 'call 会' }],
    ['a credential with a newline', { credential: 'a\nb' }],
  ])('hands %s to the gateway as it is', async (_, more) => {
    const { http, inline } = await executors();
    const odd = request(more);
    expect(await http.execute(odd, never())).toEqual(await inline.execute(odd, never()));
    expect(direct[0]).toEqual(direct[1]);
    expect(asked).toEqual([]);
  });

  it('says the same as project-cli of what is no answer of the router', async () => {
    const { http, child } = await executors();
    const replies: [number, string][] = [
      [404, '<html>'],
      [200, 'no document'],
      [413, JSON.stringify({ code: 'LIMIT_EXCEEDED', detail: 'Too large.' })],
      [429, JSON.stringify({ code: 'RATE_LIMITED', detail: 'Slowly.' })],
      [401, JSON.stringify(toCliDocument(recordOf(request(), credentialRevoked())))],
    ];
    for (const [status, body] of replies) {
      door.reply = (response) => {
        response.writeHead(status, { 'retry-after': '7' }).end(body);
      };
      const [one, other] = [
        await http.execute(request(), never()),
        await child.execute(request(), never()),
      ];
      expect(one.error).toEqual(other.error);
      expect(one.error).not.toBeNull();
    }
  });

  it('asks again, under the same id, where the call was not taken or its answer was lost', async () => {
    const record = recordOf(request(), { id: 'evt_1' });
    const faults = [
      (response: Parameters<typeof door.reply>[0]) => response.destroy(),
      (response: Parameters<typeof door.reply>[0]) => response.writeHead(503).end('stopping'),
      (response: Parameters<typeof door.reply>[0]) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"ok"', () => response.destroy());
      },
    ];
    answer(record);
    const answers = door.reply;
    let next = 0;
    door.reply = (response) => (faults[next++] ?? answers)(response);
    const { http } = await executors();
    expect(await http.execute(request(), never())).toEqual(record);
    expect(asked).toHaveLength(4);
    expect(new Set(asked.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  it('waits for the server to listen', async () => {
    const record = recordOf(request(), { id: 'evt_1' });
    answer(record);
    const { http, child, listen } = await executors({}, false);
    const answers = [http.execute(request(), never()), child.execute(request(), never())];
    await new Promise((later) => setImmediate(later));
    expect(asked).toEqual([]);
    listen();
    expect(await Promise.all(answers)).toEqual([record, record]);
  });

  it('waits no longer than its run', async () => {
    const controller = new AbortController();
    const { http, child } = await executors({}, false);
    const answers = [http, child].map((one) => one.execute(request(), controller.signal));
    controller.abort();
    await Promise.all(answers);
    expect(asked).toEqual([]);
    expect(direct).toHaveLength(2);
  });

  it('logs nothing of what a door says', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    answer(recordOf(request(), { title: 'Lunch with Ada Lovelace' }), false);
    const { http } = await executors();
    await http.execute(request(), never());
    const lines = warn.mock.calls.map(([line]) => String(line));
    warn.mockRestore();
    expect(lines).toEqual([expect.stringMatching(/HTTP status 200 and a body of \d+ bytes\.$/)]);
  });

  it('gives up a door that stays away', async () => {
    const { http } = await executors({
      PROJECT_CLI_ENDPOINT: 'http://127.0.0.1:1',
      CLI_TIMEOUT_MS: '1000',
    });
    const record = await http.execute(request(), never());
    expect(record.error).toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE', retryable: true });
  });

  it('does not call cancelled what nobody cancelled', async () => {
    // The router saw a connection break, and ended the call for it.
    stored.set('usr_1 run_1 call_1', cancelled());
    answer(cancelled());
    const { http } = await executors();
    const { error } = await http.execute(request(), never());
    expect(error).toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE', retryable: true });
  });

  it('leaves the door when its run is cancelled, and takes what was committed', async () => {
    const record = recordOf(request(), { id: 'evt_1' });
    const controller = new AbortController();
    let left = false;
    door.reply = (response) => {
      response.on('close', () => {
        left = true;
        stored.set('usr_1 run_1 call_1', record);
      });
      controller.abort();
    };
    const { http } = await executors();
    expect(await http.execute(request(), controller.signal)).toEqual(record);
    expect(left).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it('is cancelled while it waits to ask again', async () => {
    const controller = new AbortController();
    door.reply = (response) => {
      response.writeHead(503).end();
      setTimeout(() => controller.abort(), 10);
    };
    const { http } = await executors();
    const { error } = await http.execute(request(), controller.signal);
    expect(error?.code).toBe('CANCELLED');
  });

  it('times out, also when the router only saw its caller leave', async () => {
    const { http } = await executors({ CLI_TIMEOUT_MS: '1000' });
    door.reply = (response) =>
      response.on('close', () => stored.set('usr_1 run_1 call_1', cancelled()));
    expect((await http.execute(request(), never())).error?.code).toBe('TIMEOUT');
  });

  it('caps the answer, and claims no success whose record cannot be read', async () => {
    answer(recordOf(request(), { text: 'x'.repeat(100_000) }), false);
    const { http } = await executors({ CLI_OUTPUT_MAX_BYTES: '2048' });
    expect((await http.execute(request(), never())).error?.code).toBe('OUTPUT_TOO_LARGE');
    answer(recordOf(request(), { id: 'evt_1' }));
    store.fails = true;
    expect((await http.execute(request(), never())).error?.code).toBe('DEPENDENCY_UNAVAILABLE');
  });
});

function credentialRevoked(): StewardError {
  return new StewardError('CREDENTIAL_REVOKED', 'Revoked.');
}
