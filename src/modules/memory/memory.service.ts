import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { StewardError } from '../../common/steward-error.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { FactView } from './dto/fact-view.dto.js';
import type {
  FactCorrection,
  MemoryOperation,
  RememberBody,
  UpdateMemoryInput,
} from './dto/update-input.dto.js';
import type { MemoryChange, UpdateMemoryOutput } from './dto/update-output.dto.js';
import { toFactView } from './fact-view.js';
import { MemoryWriting, type FactChange } from './memory-writing.js';
import type { MemoryCaller } from './memory.caller.js';
import { credentialInFact, factNotFound } from './memory.errors.js';
import { MemoryRepository } from './memory.repository.js';
import { MEMORY_SCREENING, type MemoryScreening } from './memory.screening.js';
import { refuseFields } from '../../common/required-fields.js';
import { screeningForm } from './rules/screening-form.js';

const SINGLE_FIELDS = [
  'operation',
  'fact_id',
  'key',
  'text',
  'source',
  'confidence',
  'expires_at',
] as const;

/** Remembers, corrects and removes facts. */
@Injectable()
export class MemoryService {
  constructor(
    private readonly writing: MemoryWriting,
    private readonly facts: MemoryRepository,
    @Inject(MEMORY_SCREENING) private readonly screening: MemoryScreening,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * `memory.update`: one change, or the batch `operations`, in order, of which each succeeds or fails
   * alone.
   * @throws what the only operation, or the first of a batch of failures, failed with: INVALID_ACTION_INPUT,
   *   CREDENTIAL_IN_INPUT, NOT_FOUND, CONFLICT, LIMIT_EXCEEDED.
   */
  async update(input: UpdateMemoryInput, caller: MemoryCaller): Promise<UpdateMemoryOutput> {
    const { operations, ...single } = input;
    if (operations) {
      refuseFields(single, SINGLE_FIELDS, 'does not go with operations; put it into each of them.');
    }
    const items = await this.uow.run(async () => {
      await this.facts.lock(caller.userId);
      if (!operations) return [await this.apply(0, single, caller)];
      const changes: MemoryChange[] = [];
      for (const [index, operation] of operations.entries()) {
        changes.push(await this.attempt(index, operation, caller));
      }
      return changes;
    });
    const failed = items.filter(({ status }) => status === 'failure').length;
    if (failed === items.length) throw failureOfAll(items);
    return { items, count: items.length - failed, failed };
  }

  /**
   * `POST /memories`: the person says a fact.
   * @throws INVALID_ACTION_INPUT, CREDENTIAL_IN_INPUT, LIMIT_EXCEEDED.
   */
  async remember(body: RememberBody, caller: MemoryCaller): Promise<MemoryChange> {
    const { items } = await this.update(body, caller);
    const [change] = items;
    if (!change) throw new Error('a change without an outcome');
    return change;
  }

  /**
   * `PATCH /memories/{fact_id}`: the person corrects a fact. A change that changes nothing leaves the
   * version as it is.
   * @throws NOT_FOUND, CONFLICT, INVALID_ACTION_INPUT, CREDENTIAL_IN_INPUT, LIMIT_EXCEEDED.
   */
  async correct(factId: string, change: FactCorrection, caller: MemoryCaller): Promise<FactView> {
    return this.uow.run(async () => {
      await this.facts.lock(caller.userId);
      const held = await this.facts.find(caller.userId, factId);
      if (!held) throw factNotFound();
      this.screen(change.key ?? held.key ?? undefined, change.text ?? held.text);
      const now = this.clock.now();
      const { fact } = await this.writing.correct(factId, change, caller, now);
      return toFactView(fact ?? held, now);
    });
  }

  private async apply(
    index: number,
    operation: MemoryOperation,
    caller: MemoryCaller,
  ): Promise<MemoryChange> {
    this.screen(operation.key, operation.text);
    const now = this.clock.now();
    const change = await this.writing.apply(operation, caller, now);
    return { index, operation: operation.operation ?? 'set', ...shown(change, now) };
  }

  /** Each operation has a savepoint: one that fails does not undo the others. */
  private async attempt(
    index: number,
    operation: MemoryOperation,
    caller: MemoryCaller,
  ): Promise<MemoryChange> {
    try {
      return await this.uow.run(() => this.apply(index, operation, caller));
    } catch (error) {
      if (!(error instanceof StewardError)) throw error;
      const { code, message } = error;
      return {
        index,
        operation: operation.operation ?? 'set',
        status: 'failure',
        ...(operation.key === undefined ? {} : { key: operation.key }),
        before: [],
        error: { code, message },
      };
    }
  }

  /** @throws CREDENTIAL_IN_INPUT; the router looks at calls, REST has only this. */
  private screen(key: string | undefined, text: string | undefined): void {
    const path = this.screening.findCredential(screeningForm(key, text));
    if (path !== null) throw credentialInFact(path.split('.')[0] ?? '');
  }
}

function shown(
  change: FactChange,
  now: Date,
): Pick<MemoryChange, 'status' | 'key' | 'fact' | 'before'> {
  const { status, key, fact, before } = change;
  return {
    status,
    ...(key === null ? {} : { key }),
    ...(fact ? { fact: toFactView(fact, now) } : {}),
    before,
  };
}

/** The error of a batch of which nothing succeeded: the first operation's code, every reason. */
function failureOfAll(items: MemoryChange[]): StewardError {
  const first = items[0]?.error;
  const code = first?.code ?? 'INVALID_ACTION_INPUT';
  const issues = items.flatMap(({ error, index }) =>
    error ? [{ path: `operations.${index}`, message: error.message }] : [],
  );
  const message =
    issues.length === 1 && first
      ? first.message
      : `None of the ${items.length} operations succeeded.`;
  return new StewardError(code, message, { issues });
}
