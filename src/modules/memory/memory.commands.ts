import { isJsonObject } from '../../common/json.js';
import {
  CliContext,
  CliInput,
  CliMethod,
  CliModule,
  DescribesCall,
  PartialResult,
  type CallContext,
} from '../../tool-router/public.js';
import { ForgetOutput, ReadMemoryOutput } from './dto/fact-view.dto.js';
import { ForgetInput } from './dto/forget-input.dto.js';
import { ReadMemoryInput } from './dto/read-input.dto.js';
import { UpdateMemoryInput } from './dto/update-input.dto.js';
import { UpdateMemoryOutput } from './dto/update-output.dto.js';
import { MemoryForgettingService } from './memory-forgetting.service.js';
import { MemoryReadingService } from './memory-reading.service.js';
import { agentCaller } from './memory.caller.js';
import * as examples from './memory.examples.js';
import { MemoryService } from './memory.service.js';
import * as ui from './memory.ui.js';

/** The memory as project_cli shows it; every rule is in the services. */
@CliModule({
  name: 'memory',
  description: 'What is remembered about the user: read, search, update and forget facts.',
})
export class MemoryCommands {
  constructor(
    private readonly reading: MemoryReadingService,
    private readonly memory: MemoryService,
    private readonly forgetting: MemoryForgettingService,
  ) {}

  @CliMethod({
    name: 'read',
    description:
      'Lists what is remembered, searches it in Chinese or English (best match first), or reads one fact or key with its earlier values. Long lists page: pass nextCursor as cursor.',
    effect: 'read',
    output: ReadMemoryOutput,
    examples: examples.READ,
  })
  read(@CliInput() input: ReadMemoryInput, @CliContext() context: CallContext) {
    return this.reading.read(input, context.userId);
  }

  @CliMethod({
    name: 'update',
    description:
      'Remembers facts: set gives a key its one value (the old one is superseded and kept in its history) or remembers a text without key; append adds to the list of a key; remove ends facts. What is known already is not stored twice. Several changes at once with operations.',
    effect: 'write',
    output: UpdateMemoryOutput,
    examples: examples.UPDATE,
    ui: ui.updateCard,
  })
  async update(@CliInput() input: UpdateMemoryInput, @CliContext() context: CallContext) {
    const changed = await this.memory.update(input, agentCaller(context));
    return changed.failed > 0 && isJsonObject(changed) ? new PartialResult(changed) : changed;
  }

  @CliMethod({
    name: 'forget',
    description:
      'Erases facts and their history for good: one by fact_id, or all of a key or of a query. Several are listed first with confirm; the same call with that confirm erases them.',
    effect: 'write',
    risk: 'high',
    output: ForgetOutput,
    examples: examples.FORGET,
    ui: ui.forgetCard,
  })
  forget(@CliInput() input: ForgetInput, @CliContext() context: CallContext) {
    return this.forgetting.forget(input, context.userId);
  }

  @DescribesCall('forget')
  describeForget(input: ForgetInput, context: CallContext): Promise<string> {
    return this.forgetting.preview(input, context.userId);
  }
}
