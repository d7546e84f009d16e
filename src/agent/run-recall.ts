import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { RunLostError } from '../events/run-lost-error.js';
import { CapabilityAccess } from '../tool-router/capability-access.js';
import type { Caller } from '../tool-router/caller.js';
import { BRIEFING_SOURCE, type Briefing, type BriefingSource } from './briefing-source.js';
import type { Run } from './runs/run.js';
import { RunNotesRepository } from './runs/execution/run-notes.repository.js';

/** Milliseconds that a run waits for what is known about its person. */
const PATIENCE_MS = 2_000;

type RecallingRun = Pick<Run, 'id' | 'userId' | 'locale' | 'timezone'>;

/**
 * What a run's model is told about the person, within the budget of MEMORY_CONTEXT_*. The whitelist
 * governs it like a call: whoever may not read the source gets nothing of it. A source that fails,
 * is late or gives too much costs the facts and nothing else.
 */
@Injectable()
export class RunRecall {
  private readonly logger = new Logger(RunRecall.name);

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(CapabilityAccess)
    private readonly access: { visible: (caller: Caller) => { id: string }[] },
    @Inject(RunNotesRepository) private readonly notes: Pick<RunNotesRepository, 'noteBriefing'>,
    @Optional() @Inject(BRIEFING_SOURCE) private readonly source?: BriefingSource,
  ) {}

  /**
   * The text for the model; '' for nothing. It is given only once the run's row says what is in it.
   * @throws RunLostError when another process holds the run; nothing else.
   */
  async of(run: RecallingRun, caller: Caller, message: string): Promise<string> {
    const budget = {
      items: this.config.MEMORY_CONTEXT_MAX_FACTS,
      characters: this.config.MEMORY_CONTEXT_MAX_CHARACTERS,
    };
    const { source } = this;
    if (!source || budget.items === 0 || budget.characters === 0) return '';
    if (!this.access.visible(caller).some(({ id }) => id === source.capability)) return '';
    const { userId, locale, timezone } = run;
    try {
      const { text, items } = await inTime(
        source.briefing({ userId, message, locale, timezone, budget }),
      );
      if (items.length === 0 || text === '') return '';
      if (items.length > budget.items || text.length > budget.characters) {
        throw new Error('the briefing is larger than its budget');
      }
      await this.notes.noteBriefing(run, { items, characters: text.length });
      return text;
    } catch (error) {
      if (error instanceof RunLostError) throw error;
      this.logger.warn(`Run ${run.id} begins without what is remembered: ${String(error)}`);
      return '';
    }
  }
}

async function inTime(briefing: Promise<Briefing>): Promise<Briefing> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the source is late')), PATIENCE_MS);
  });
  try {
    return await Promise.race([briefing, late]);
  } finally {
    clearTimeout(timer);
  }
}
