import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MessageStore } from '../../src/threads/message.store.js';
import type { NewThreadMessage } from '../../src/threads/thread-message.js';
import { LARGE, SMALL, startTieredApp, threadName, type TieredApp } from '../support/tiered-app.js';

/** `messages.content` is text, always a string, and a tier is complete (PROTOCOL §9). */
describe('rows of tool messages', () => {
  let app: TieredApp;
  const thread = threadName();

  beforeAll(async () => {
    app = await startTieredApp();
    await app.run(thread, { count: LARGE }, { count: SMALL });
  }, 60_000);
  afterAll(async () => {
    await app.close();
  });

  it('have text as content, and cannot have anything else', async () => {
    const types = await app.query(
      `SELECT DISTINCT data_type, is_nullable FROM information_schema.columns
       WHERE table_name = 'agent_messages' AND column_name = 'content'`,
    );
    expect(types).toEqual([{ data_type: 'text', is_nullable: 'NO' }]);
    const messages = app.app.get(MessageStore, { strict: false });
    for (const content of [{ status: 'success' }, ['x'], 7, null, undefined]) {
      const message = {
        id: 'msg_object',
        threadId: thread,
        runId: 'run',
        role: 'assistant',
        content,
        metadata: {},
        createdAt: new Date(),
      } as unknown as NewThreadMessage;
      await expect(messages.append(message)).rejects.toThrow(TypeError);
    }
    const rows = await app.query(`SELECT 1 FROM agent_messages WHERE id = 'msg_object'`);
    expect(rows).toEqual([]);
  });

  /** Tries to change one row by SQL, past all code. */
  const change = async (state: string, set: string): Promise<string> => {
    try {
      await app.query(
        `UPDATE agent_messages SET ${set} WHERE thread_id = $1 AND role = 'tool'
           AND metadata->>'storage_state' = $2`,
        [thread, state],
      );
      return 'changed';
    } catch (error) {
      return String((error as { constraint?: unknown }).constraint);
    }
  };
  const without = (key: string) => `metadata = (metadata::jsonb - '${key}')::json`;
  const having = (member: string) => `metadata = (metadata::jsonb || '${member}')::json`;

  it.each([
    ['stored', `content = '{"status":"success"}'`],
    ['stored', without('storage_path')],
    ['stored', without('storage_bucket')],
    ['stored', without('payload_bytes')],
    ['stored', without('payload_sha256')],
    ['stored', having('{"payload_sha256":"no"}')],
    ['stored', having('{"tool_agent_output":{}}')],
    ['stored', having('{"storage_state":"inline"}')],
    ['stored', having('{"storage_state":"somewhere"}')],
    ['stored', having('{"storage_state":null}')],
    ['stored', without('storage_state')],
    ['inline', `content = 'a summary'`],
    ['inline', having('{"storage_path":"x"}')],
    ['inline', without('tool_agent_output')],
    ['inline', having('{"tool_agent_output":"text"}')],
    ['inline', having('{"storage_state":"write_failed"}')],
  ])('the database refuses %s with %s', async (state, set) => {
    expect(await change(state, set)).toBe('agent_messages_tier');
  });

  it('have an object as metadata', async () => {
    expect(await change('inline', `metadata = '[]'`)).toMatch(/^agent_messages_/);
    const changed = await app
      .query(
        `UPDATE agent_messages SET metadata = '"text"' WHERE thread_id = $1 AND role = 'user'`,
        [thread],
      )
      .catch((error: unknown) => String((error as { constraint?: unknown }).constraint));
    expect(changed).toBe('agent_messages_metadata');
  });

  it('may change in what no tier is about', async () => {
    expect(await change('stored', without('task_id'))).toBe('changed');
    expect(await change('stored', having('{"storage_state":"lost"}'))).toBe('changed');
    expect(await change('lost', having('{"storage_state":"stored"}'))).toBe('changed');
  });

  it.each([
    'record = NULL',
    `storage_path = 'x'`,
    `record = NULL, storage_path = 'x', storage_bucket = 'b', payload_bytes = 1`,
  ])('a call has its record or says where it lies: not %s', async (set) => {
    const failed = await app
      .query(`UPDATE tool_calls SET ${set} WHERE thread_id = $1 AND record IS NOT NULL`, [thread])
      .catch((error: unknown) => String((error as { constraint?: unknown }).constraint));
    expect(failed).toBe('tool_calls_record_or_reference');
  });
});
