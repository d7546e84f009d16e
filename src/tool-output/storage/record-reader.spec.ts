import { Logger } from '@nestjs/common';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryObjectStore } from '../../../test/support/memory-object-store.js';
import { StewardError } from '../../common/steward-error.js';
import type { ToolAgentOutput } from '../tool-agent-output.js';
import { encodeRecord, recordKey, type RecordReference } from './record-object.js';
import { RecordReader } from './record-reader.js';

const recordOf = (id: string, text = 'x'): ToolAgentOutput => ({
  tool_name: 'project_cli',
  tool_call_id: id,
  tool_call_args: { module: 'calendar', method: 'read', input: {} },
  status: 'success',
  result: { module: 'calendar', method: 'read', data: { z: text, a: '日程 \u2028 "q"' } },
  error: null,
  ui_hints: null,
  repairs: [],
  summary: 'done',
  summary_version: 1,
  started_at: '2026-04-21T00:00:00.000Z',
  finished_at: '2026-04-21T00:00:00.010Z',
});

describe('RecordReader', () => {
  let store: MemoryObjectStore;
  let reader: RecordReader;

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => {
    store = new MemoryObjectStore();
    reader = new RecordReader(store, { TOOL_OUTPUT_READ_TIMEOUT_MS: 200 });
  });

  async function put(record: ToolAgentOutput): Promise<RecordReference> {
    const { body, bytes, sha256 } = encodeRecord(record);
    const key = recordKey('thr', 'run', record.tool_call_id);
    await store.put(key, body);
    return {
      storage_bucket: store.bucket,
      storage_path: key,
      payload_bytes: bytes,
      payload_sha256: sha256,
    };
  }

  const codeOf = async (reading: Promise<unknown>): Promise<string> => {
    const error: unknown = await reading.catch((reason: unknown) => reason);
    return error instanceof StewardError ? error.code : 'no StewardError';
  };

  it('gives back the record to the byte, and reads an object once', async () => {
    const record = recordOf('call_1');
    const reference = await put(record);
    const [one, two] = await Promise.all([reader.read(reference), reader.read(reference)]);
    expect(JSON.stringify(one)).toBe(JSON.stringify(record));
    expect(two).toBe(one);
    expect(await reader.read(reference)).toBe(one);
    expect(store.asked.filter((what) => what.startsWith('get'))).toHaveLength(1);
  });

  it('takes no other object than the one that was written', async () => {
    const reference = await put(recordOf('call_1'));
    const body = store.objects.get(reference.storage_path) ?? Buffer.alloc(0);
    const other = encodeRecord(recordOf('call_1', 'y')).body;
    const flipped = Buffer.from(body);
    flipped[10] = (flipped[10] ?? 0) ^ 1;
    for (const damaged of [other, flipped, body.subarray(0, 9), Buffer.alloc(0)]) {
      store.objects.set(reference.storage_path, damaged);
      expect(await codeOf(reader.read(reference))).toBe('DEPENDENCY_UNAVAILABLE');
      expect(await reader.tryRead(reference)).toBeNull();
    }
    store.objects.set(reference.storage_path, body);
    expect((await reader.read(reference)).tool_call_id).toBe('call_1');
  });

  it('refuses an object that is intact and no record', async () => {
    const body = Buffer.from('{"tool_call_id":7}');
    const { sha256 } = encodeRecord(JSON.parse(body.toString()) as ToolAgentOutput);
    await store.put('k', body);
    const reference = {
      storage_bucket: 'b',
      storage_path: 'k',
      payload_bytes: body.length,
      payload_sha256: sha256,
    };
    expect(await codeOf(reader.read(reference))).toBe('DEPENDENCY_UNAVAILABLE');
  });

  it('ends at its deadline when the store hangs, and reads again afterwards', async () => {
    const references = await Promise.all(
      Array.from({ length: 40 }, (_, n) => put(recordOf(`call_${n}`))),
    );
    store.mood = 'hangs';
    store.asked.length = 0;
    const reads = references.map((reference) => codeOf(reader.read(reference)));
    await new Promise((resolve) => setImmediate(resolve));
    // The others wait for a place in the pool, and their deadline comes all the same.
    expect(store.asked).toHaveLength(16);
    expect(new Set(await Promise.all(reads))).toEqual(new Set(['TIMEOUT']));
    store.mood = 'well';
    const records = await Promise.all(references.map((reference) => reader.read(reference)));
    expect(records.map((record) => record.tool_call_id)).toEqual(
      references.map((_, n) => `call_${n}`),
    );
  });

  it('keeps nothing of a failure', async () => {
    const reference = await put(recordOf('call_1'));
    store.mood = 'fails';
    expect(await reader.tryRead(reference)).toBeNull();
    store.mood = 'well';
    expect(await reader.tryRead(reference)).not.toBeNull();
    store.mood = 'fails';
    expect(await reader.tryRead(reference)).not.toBeNull();
  });

  it('makes keys that no id of a client leads out of', () => {
    expect(recordKey('thr_1', 'run_1', 'call_1')).toBe('tool-outputs/thr_1/run_1/call_1.json');
    expect(recordKey('../..', 'a/b', 'call_1')).toMatch(
      /^tool-outputs\/~[\w-]+\/~[\w-]+\/call_1\.json$/,
    );
  });
});
