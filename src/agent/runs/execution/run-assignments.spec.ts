import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { DataSource } from 'typeorm';
import {
  callsTool,
  heldCall,
  startAgentApp,
  type AgentApp,
} from '../../../../test/support/agent-app.js';
import type { ApiClient } from '../../../../test/support/api-client.js';
import { loseRun, untilLetGo } from '../../../../test/support/lost-run.js';
import { CredentialService } from '../../../credential/credential.service.js';
import { RunAssignments } from './run-assignments.js';
import { INSTANCE_ID } from '../queue/run-leases.js';
import { RunRepository } from '../run.repository.js';

const READ = { module: 'calendar', method: 'read', input: {} };

describe('what is read of a run to go on with it', () => {
  let agent: AgentApp;
  let client: ApiClient;

  beforeAll(async () => {
    agent = await startAgentApp({ RUN_LEASE_SECONDS: '300' });
    client = await agent.client().register({ locale: 'en' });
  });
  afterAll(() => agent.close());

  const query = (sql: string, values: unknown[]) =>
    agent.app.get(DataSource).query<{ content: string }[]>(sql, values);
  /** A run that was lost in a call, and is this process's again. @returns it with its credential. */
  async function lost() {
    const { answer, end } = heldCall();
    const called = new Promise<string>((resolve) => {
      agent.executor.answer = (request) => {
        resolve(request.credential);
        return answer;
      };
    });
    agent.model.turns = [callsTool(READ)];
    const message = { message: 'go', enabledSkills: [] };
    const { runId } = (await client.post('/agent/runs', message)).body as { runId: string };
    const credential = await called;
    await loseRun([agent], runId);
    end();
    await untilLetGo([agent], runId);
    const id = agent.app.get<string>(INSTANCE_ID, { strict: false });
    const held = `UPDATE agent_runs SET instance_id = $2, lease_until = now() + interval '1 hour' WHERE id = $1`;
    await query(held, [runId, id]);
    const run = await agent.app.get(RunRepository).find({ userId: client.userId, id: runId });
    if (!run) throw new Error('the run is not there');
    return { run, credential };
  }
  const load = (run: Awaited<ReturnType<typeof lost>>['run']) =>
    agent.app.get(RunAssignments).load(run);

  it('is the same credential, the message, the person and the open call', async () => {
    const { run, credential } = await lost();
    const assignment = await load(run);
    expect(decodeJwt(assignment.credential)).toEqual(decodeJwt(credential));
    expect(decodeJwt(credential)).toMatchObject({ skills: [], run: run.id });
    expect(assignment).toMatchObject({
      caller: { userId: client.userId, roles: ['admin'] },
      answers: { message: { content: 'go' }, again: false },
      begun: { concluded: false, calls: [{ name: 'project_cli' }] },
      open: [{ raw: { arguments: JSON.stringify(READ) } }],
    });
    await expect(
      agent.app.get(CredentialService).verify(assignment.credential),
    ).resolves.toMatchObject({ userId: client.userId, runId: run.id });
    const entries = await query(
      `SELECT content FROM audit_inbox UNION ALL SELECT content FROM audit_entries`,
      [],
    );
    const reissued = entries.filter(({ content }) => content.includes('"credential_reissued"'));
    expect(reissued).toHaveLength(1);
    expect(reissued[0]?.content).toContain(decodeJwt(credential).jti);
    expect(JSON.stringify(entries)).not.toContain(credential);
  });

  it.each([
    ['was revoked', 'UPDATE credentials SET revoked_at = now()', 'CREDENTIAL_REVOKED'],
    ['is over', `UPDATE credentials SET expires_at = now() - interval '1 s'`, 'TIMEOUT'],
    ['was never exchanged', 'DELETE FROM credentials', 'CREDENTIAL_REVOKED'],
    ['is of a run of others', `UPDATE agent_runs SET instance_id = 'x'`, 'CONFLICT'],
    [
      'is of a session that has ended',
      `UPDATE sessions SET ended_at = now(), end_reason = 'signed_out'`,
      'CREDENTIAL_REVOKED',
    ],
    [
      'is of a person who is shut out',
      'UPDATE users SET disabled_at = now()',
      'CREDENTIAL_REVOKED',
    ],
  ])('is refused when the credential %s', async (_why, change, code) => {
    client = await agent.client().register({ locale: 'en' });
    const { run } = await lost();
    const of = change.includes('users') ? 'id' : 'user_id';
    await query(`${change} WHERE ${of} = $1`, [client.userId]);
    await expect(load(run)).rejects.toMatchObject({ code });
  });
});
