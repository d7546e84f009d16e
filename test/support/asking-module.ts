import { Module } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import {
  CliContext,
  CliInput,
  CliMethod,
  CliModule,
  InputRequired,
  NoInput,
  type CallContext,
} from '../../src/tool-router/public.js';

class NoteInput {
  @IsString()
  @MaxLength(20)
  text!: string;
}

@JSONSchema({ additionalProperties: true })
class AnyOutput {
  @IsOptional()
  @IsString()
  text?: string;
}

const COLOR = {
  type: 'object',
  required: ['color'],
  additionalProperties: false,
  properties: { color: { enum: ['red', 'blue'] } },
};

@CliModule({ name: 'notes', description: 'For the tests.' })
class NoteCommands {
  constructor(private readonly uow: UnitOfWork) {}

  @CliMethod({
    name: 'add',
    description: 'Adds a note, with approval.',
    effect: 'write',
    requiresApproval: true,
    output: AnyOutput,
  })
  async add(@CliInput() { text }: NoteInput) {
    await this.uow.manager.query('INSERT INTO notes VALUES ($1)', [text]);
    return { text };
  }

  @CliMethod({
    name: 'keep',
    description: 'Adds a note without asking.',
    effect: 'write',
    output: AnyOutput,
  })
  async keep(@CliInput() { text }: NoteInput) {
    await this.uow.manager.query('INSERT INTO notes VALUES ($1)', [text]);
    return { text };
  }

  @CliMethod({ name: 'list', description: 'All notes.', effect: 'read', output: AnyOutput })
  async list(@CliInput() _input: NoInput) {
    return { notes: await this.uow.manager.query('SELECT text FROM notes ORDER BY text') };
  }

  @CliMethod({ name: 'paint', description: 'Asks for a color.', effect: 'read', output: AnyOutput })
  paint(@CliInput() _input: NoInput, @CliContext() { answer }: CallContext) {
    if (!answer) throw new InputRequired({ message: 'Which color?', schema: COLOR });
    return answer.declined ? { text: 'none' } : { text: String(answer.value['color']) };
  }
}

/** Methods that ask people. They write into a table `notes (text text)`. */
@Module({ providers: [NoteCommands] })
export class AskingModule {}
