import { describe, expect, it } from '@jest/globals';
import type { Interrupt } from './interrupt.js';
import { refusalOf } from './refusal.js';

const INTERRUPT: Interrupt = {
  id: 'int_1',
  userId: 'usr_1',
  threadId: null,
  runId: null,
  credentialJti: 'jti',
  toolCallId: 'call_1',
  profile: 'chat',
  kind: 'approval',
  module: 'calendar',
  method: 'delete',
  input: {},
  inputHash: '',
  rule: 'requires_approval',
  message: '',
  responseSchema: {},
  status: 'denied',
  response: null,
  grantedInput: null,
  grantedHash: null,
  createdAt: new Date(0),
  expiresAt: new Date(0),
  resolvedAt: null,
  resolvedRunId: null,
  consumedAt: null,
};

describe('what a refused call is told', () => {
  const said = (reason: string) =>
    refusalOf({ ...INTERRUPT, response: { approved: false, reason } })?.message;

  it('is the reason of the person, in one language', () => {
    expect(said('不要删')).toBe('不要删');
    expect(said('Not today.')).toBe('The person did not allow calendar.delete: Not today.');
    expect(said('  ')).toBe('The person did not allow calendar.delete.');
  });

  it('says whether the conversation went on or the run was ended', () => {
    const cancelled: Interrupt = { ...INTERRUPT, status: 'cancelled' };
    expect(refusalOf(cancelled, 'went_on')?.message).toContain('the conversation went on');
    expect(refusalOf(cancelled, 'run_ended')?.message).toContain('the run was ended');
  });
});
