import { describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { TestClock } from '../../test/support/test-clock.js';
import { Clock } from '../common/clock.js';
import { Notifications } from '../database/notifications.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { CredentialRepository } from './credential.repository.js';
import { Revocations } from './revocations.js';

/** A line to the other replicas that the test cuts and mends. */
class FakeLine {
  connected = true;
  private handler: (key: string) => void = () => undefined;
  private mended: () => void = () => undefined;

  subscribe(_channel: string, handler: (key: string) => void) {
    this.handler = handler;
    return () => undefined;
  }
  onReconnect(callback: () => void) {
    this.mended = callback;
    return () => undefined;
  }
  publish = (): Promise<void> => Promise.resolve();
  deliver(key: string) {
    this.handler(key);
  }
  mend() {
    this.connected = true;
    this.mended();
  }
}

/** The table, with a count of reads and a gate to hold one up. */
class FakeTable {
  reads = 0;
  revokedAt: Date | null = null;
  failure: Error | null = null;
  gate: Promise<void> = Promise.resolve();

  async find(jti: string) {
    this.reads += 1;
    if (this.failure) throw this.failure;
    const row = { jti, revokedAt: this.revokedAt };
    await this.gate;
    return jti === 'unknown' ? null : row;
  }
}

async function make() {
  const line = new FakeLine();
  const table = new FakeTable();
  const clock = new TestClock();
  const testing = await Test.createTestingModule({
    providers: [
      Revocations,
      { provide: CredentialRepository, useValue: table },
      { provide: Notifications, useValue: line },
      { provide: UnitOfWork, useValue: {} },
      { provide: Clock, useValue: clock },
    ],
  }).compile();
  await testing.init();
  const revocations = testing.get(Revocations);
  const check = () => revocations.assertActive('cred_1', 'usr_1', 'run_1');
  return { line, table, clock, revocations, check };
}

describe('Revocations', () => {
  it('reads the table once while the line holds', async () => {
    const { table, check } = await make();
    for (let i = 0; i < 5; i += 1) await check();
    expect(table.reads).toBe(1);
  });

  it('reads the table each time while the line is cut, and once after it is mended', async () => {
    const { line, table, check } = await make();
    await check();
    line.connected = false;
    for (let i = 0; i < 3; i += 1) await check();
    expect(table.reads).toBe(4);
    line.mend();
    for (let i = 0; i < 3; i += 1) await check();
    expect(table.reads).toBe(5);
  });

  it('sees what was revoked while the line was cut', async () => {
    const { line, table, check } = await make();
    await check();
    line.connected = false;
    table.revokedAt = new Date();
    await expect(check()).rejects.toMatchObject({ code: 'CREDENTIAL_REVOKED' });
  });

  it.each(['jti cred_1', 'run usr_1 run_1'])('obeys the message %s at once', async (key) => {
    const { line, table, check } = await make();
    await check();
    line.deliver(key);
    await expect(check()).rejects.toMatchObject({ code: 'CREDENTIAL_REVOKED' });
    expect(table.reads).toBe(1);
  });

  it('obeys a message that overtakes a read under way', async () => {
    const { line, table, check } = await make();
    let open = () => undefined as void;
    table.gate = new Promise((resolve) => (open = resolve));
    const pending = check();
    line.deliver('jti cred_1');
    open();
    await expect(pending).rejects.toMatchObject({ code: 'CREDENTIAL_REVOKED' });
    await expect(check()).rejects.toMatchObject({ code: 'CREDENTIAL_REVOKED' });
  });

  it('does not keep what was read before the line was mended', async () => {
    const { line, table, check } = await make();
    let open = () => undefined as void;
    table.gate = new Promise((resolve) => (open = resolve));
    const pending = check();
    line.mend();
    open();
    await pending;
    table.revokedAt = new Date();
    await expect(check()).rejects.toMatchObject({ code: 'CREDENTIAL_REVOKED' });
  });

  it('asks again after a minute, in case the line is dead and does not know it', async () => {
    const { table, clock, check } = await make();
    await check();
    table.revokedAt = new Date();
    clock.advance(61);
    await expect(check()).rejects.toMatchObject({ code: 'CREDENTIAL_REVOKED' });
  });

  it('lets nothing through when it must ask and gets no answer', async () => {
    const { line, table, check } = await make();
    await check();
    line.connected = false;
    table.failure = new Error('connect ECONNREFUSED 10.0.0.1:5432');
    const failure = await check().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE' });
    expect(String(failure)).not.toContain('10.0.0.1');
  });

  it('knows no credential that was never issued', async () => {
    const { revocations } = await make();
    await expect(revocations.assertActive('unknown', 'usr_1', null)).rejects.toMatchObject({
      code: 'CREDENTIAL_INVALID',
    });
  });

  it('spares the first look-up of a credential issued here', async () => {
    const { table, revocations, check } = await make();
    revocations.noteIssued('cred_1');
    await check();
    expect(table.reads).toBe(0);
  });
});
