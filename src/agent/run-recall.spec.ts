import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../config/app-config.js';
import { RunLostError } from '../events/run-lost-error.js';
import { RunRecall } from './run-recall.js';

const RUN = { id: 'run_1', userId: 'usr_1', locale: 'en', timezone: 'UTC' } as const;
const CALLER = { userId: 'usr_1', profile: 'chat', roles: [], scope: ['*'] };
const SOURCE = {
  capability: 'memory.search',
  briefing: () => Promise.resolve({ text: 'likes tea', items: [{ id: 'mem_1', version: 1 }] }),
};

function recall(noteBriefing: () => Promise<void>): Promise<string> {
  const access = { visible: () => [{ id: SOURCE.capability }] };
  const notes = { noteBriefing };
  return new RunRecall(readConfig({}), access, notes, SOURCE).of(RUN, CALLER, 'tea?');
}

describe('RunRecall', () => {
  it('gives what is remembered once the run says so', async () => {
    const noted: string[] = [];
    const text = await recall(async () => void noted.push('noted'));
    expect([text, noted]).toEqual(['likes tea', ['noted']]);
  });

  it('gives nothing that the run could not say', async () => {
    expect(await recall(() => Promise.reject(new Error('away')))).toBe('');
  });

  it('ends a run that another process holds by now', async () => {
    await expect(recall(() => Promise.reject(new RunLostError()))).rejects.toThrow(RunLostError);
  });
});
