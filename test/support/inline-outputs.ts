import type { WriterPorts } from '../../src/agent/loop/run-event-writer.js';

/** For a run writer without a database: every record stays in its row. */
export const inlineOutputs: WriterPorts['outputs'] = {
  place: () => Promise.resolve({ placement: { state: 'inline' }, callId: null }),
  commit: () => Promise.resolve(),
};
