import { Injectable, Module } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { StewardError } from '../../src/common/steward-error.js';
import { CliInput, CliMethod, CliModule } from '../../src/tool-router/decorators.js';
import { PartialResult } from '../../src/tool-router/partial-result.js';

class BulkInput {
  @IsInt()
  @Min(1)
  @Max(50_000)
  @Transform(({ value }: { value: unknown }) => value)
  count!: number;

  @IsOptional()
  @IsString()
  outcome?: string;
}

class BulkOutput {
  @IsArray()
  zItems!: object[];

  @IsInt()
  aCount!: number;
}

/** How often methods ran. */
@Injectable()
export class BulkCounter {
  calls = 0;
}

@CliModule({ name: 'bulk', description: 'Results of any size, for the tests.' })
class BulkCommands {
  constructor(private readonly counter: BulkCounter) {}

  @CliMethod({
    name: 'list',
    description: 'Gives as many items as asked, with a card.',
    effect: 'read',
    output: BulkOutput,
    ui: (_data, { count }) => ({
      version: 1,
      template: 'bulk.list',
      locale: 'zh-CN',
      timezone: 'Asia/Shanghai',
      title: `${String(count)} 项`,
      tone: 'neutral',
      sections: [{ items: [{ id: 'i0', title: '第一项' }] }],
    }),
    summary: (_data, { count }) => `列出 ${String(count)} 项`,
  })
  list(@CliInput() { count, outcome }: BulkInput) {
    this.counter.calls += 1;
    if (outcome === 'failure') {
      throw new StewardError('CONFLICT', 'No list today.', {
        issues: items(count).map(({ title }) => ({ path: 'x', message: title })),
      });
    }
    const data = { zItems: items(count), aCount: count };
    return outcome === 'partial' ? new PartialResult(data) : data;
  }

  @CliMethod({
    name: 'write',
    description: 'The same, as a write.',
    effect: 'write',
    output: BulkOutput,
  })
  write(@CliInput() { count }: BulkInput) {
    this.counter.calls += 1;
    return { zItems: items(count), aCount: count };
  }
}

/** About 100 bytes each; the keys are not in the order of the alphabet. */
function items(count: number): { title: string; id: number }[] {
  return Array.from({ length: count }, (_, n) => ({
    title: `条目 ${n} — something to say about it, and then some more 👋`,
    id: n,
  }));
}

/** Methods whose results are as large as asked. */
@Module({ providers: [BulkCommands, BulkCounter], exports: [BulkCounter] })
export class BulkModule {}
