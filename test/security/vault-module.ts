import { Injectable, Module } from '@nestjs/common';
import { IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { StewardError } from '../../src/common/steward-error.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import type { CallContext } from '../../src/tool-router/call-context.js';
import { CliContext, CliInput, CliMethod, CliModule } from '../../src/tool-router/decorators.js';
import { InputRequired } from '../../src/tool-router/input-required.js';

/** Lets a test hold a call in the middle of its transaction. */
@Injectable()
export class Hold {
  until: Promise<void> | null = null;
}

class StoreInput {
  @IsString()
  @MaxLength(10)
  name!: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  amount?: number;
}

class StoreOutput {
  @IsString()
  stored!: string;
}

@CliModule({ name: 'vault', description: 'For the tests.' })
class VaultCommands {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly hold: Hold,
  ) {}

  @CliMethod({
    name: 'store',
    description: 'Stores.',
    effect: 'write',
    requiresApproval: true,
    output: StoreOutput,
  })
  async store(@CliInput() { name, amount = 1 }: StoreInput): Promise<StoreOutput> {
    if (name === 'broken') throw new StewardError('NOT_FOUND', 'There is no such thing.');
    return this.write(`${name} ${amount}`);
  }

  @CliMethod({
    name: 'wipe',
    description: 'Asks each time.',
    effect: 'write',
    requiresApproval: true,
    standingApproval: false,
    output: StoreOutput,
  })
  wipe(@CliInput() { name }: StoreInput): Promise<StoreOutput> {
    return this.write(name);
  }

  @CliMethod({ name: 'look', description: 'Reads.', effect: 'read', output: StoreOutput })
  look(@CliInput() { name }: StoreInput): StoreOutput {
    return { stored: name };
  }

  /** Changes something before it asks, as no method should. */
  @CliMethod({ name: 'confirm', description: 'Asks.', effect: 'write', output: StoreOutput })
  async confirm(
    @CliInput() { name }: StoreInput,
    @CliContext() { answer }: CallContext,
  ): Promise<StoreOutput> {
    const stored = await this.write(name);
    if (answer) return stored;
    const properties = { sure: { type: 'boolean' } };
    throw new InputRequired({
      message: 'Sure?',
      schema: { type: 'object', required: ['sure'], additionalProperties: false, properties },
    });
  }

  private async write(text: string): Promise<StoreOutput> {
    await this.uow.manager.query('INSERT INTO vault_items (text) VALUES ($1)', [text]);
    await this.hold.until;
    return { stored: text };
  }
}

/** Methods that ask, on the table `vault_items (text)` that the test makes. */
@Module({ providers: [VaultCommands, Hold] })
export class VaultModule {}
