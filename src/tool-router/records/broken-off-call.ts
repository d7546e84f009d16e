import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';

/**
 * Ends an attempt at a call of a run whose caller went away while the run goes on: its process died or
 * stops, or a connection was cut; or an attempt that comes to its end when the run, in other hands, has come
 * to wait. That is no outcome: the attempt is rolled back and not recorded, so that whoever goes on with the
 * run has the call executed under the same id.
 */
export class BrokenOffCall extends Error {
  /** @param record what the attempt came to; told to whoever still listens, and kept nowhere. */
  constructor(readonly record: ToolAgentOutput) {
    super('The caller left, and its run goes on.');
    this.name = 'BrokenOffCall';
  }
}
