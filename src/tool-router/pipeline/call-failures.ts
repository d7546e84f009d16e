import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import type { CallFacts } from '../tool-invocation.js';
import { FailureLog } from './failure-log.js';
import { failureRecord } from './record-builder.js';
import { asStewardError } from './tool-error.js';

/** Errors of calls as their records; what an operator is to know of them is logged. */
@Injectable()
export class CallFailures {
  constructor(
    private readonly log: FailureLog,
    private readonly clock: Clock,
  ) {}

  record(facts: CallFacts, error: unknown): ToolAgentOutput {
    const known = asStewardError(error);
    this.log.log(`${facts.args.module}.${facts.args.method}`, known);
    return failureRecord(facts, known, this.clock.now());
  }
}
