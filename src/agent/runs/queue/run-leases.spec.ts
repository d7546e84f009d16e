import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../config/app-config.js';
import { RunLostError } from '../../../events/run-lost-error.js';
import { HeldRuns } from './held-runs.js';
import { RunLeases } from './run-leases.js';
import type { HeldRun } from './run-lease.repository.js';

/** A process with three runs, whose renewals find what the test says once it lets them. */
function start() {
  const held = new HeldRuns();
  const controllers = ['kept', 'lost', 'cancelled'].map((id) => {
    const controller = new AbortController();
    const execute = () => new Promise<void>(() => undefined);
    void held.start({ run: { userId: 'u', id }, controller, execute });
    return controller;
  });
  const answers: ((rows: HeldRun[]) => void)[] = [];
  const asked: string[][] = [];
  const rows = {
    renewLeases: (keys: { id: string }[]) => {
      asked.push(keys.map(({ id }) => id));
      return new Promise<HeldRun[]>((resolve) => answers.push(resolve));
    },
  };
  const leases = new RunLeases(readConfig({}), 'me', held, rows);
  return { leases, controllers, asked, answer: (found: HeldRun[]) => answers.shift()?.(found) };
}

describe('RunLeases', () => {
  it('renews all leases with one query, whoever asks while it is under way', async () => {
    const { leases, asked, answer } = start();
    const renewals = [leases.renew(), leases.renew()];
    expect(asked).toEqual([['kept', 'lost', 'cancelled']]);
    answer([]);
    await Promise.all(renewals);
    void leases.renew();
    expect(asked).toHaveLength(2);
  });

  it('ends what another process holds, and what is to be cancelled', async () => {
    const { leases, controllers, answer } = start();
    const renewal = leases.renew();
    answer([
      { userId: 'u', id: 'kept', cancelRequested: false },
      { userId: 'u', id: 'cancelled', cancelRequested: true },
    ]);
    await renewal;
    const [kept, lost, cancelled] = controllers.map(({ signal }) => signal);
    expect(kept?.aborted).toBe(false);
    expect(lost?.reason).toBeInstanceOf(RunLostError);
    expect(cancelled?.reason).toMatchObject({ code: 'CANCELLED' });
  });
});
