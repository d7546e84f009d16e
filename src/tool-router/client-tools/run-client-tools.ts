import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { hashOfTools } from './client-tool-set.js';
import type { ClientTool } from './client-tool.js';
import { RUN_FACTS, type RunFacts } from '../run-facts.js';

/** Runs whose tools are known, and lists that are kept: many runs bring the same. */
const MAX_RUNS = 5_000;
const MAX_LISTS = 200;

/** The tools that runs' clients brought; those of a run never change. */
@Injectable()
export class RunClientTools {
  private readonly ofRuns = new LRUCache<string, { hash: string | null }>({ max: MAX_RUNS });
  private readonly lists = new LRUCache<string, readonly ClientTool[]>({ max: MAX_LISTS });

  constructor(@Inject(RUN_FACTS) private readonly runs: RunFacts) {}

  /** Those of a run of the user; null where it has none, or is none. */
  async of(userId: string, runId: string | null): Promise<readonly ClientTool[] | null> {
    if (runId === null) return null;
    const key = `${userId} ${runId}`;
    const known = this.ofRuns.get(key);
    if (known?.hash === null) return null;
    const list = known && this.lists.get(known.hash);
    if (list) return list;
    const tools = await this.runs.clientTools(userId, runId);
    if (tools === undefined) return null;
    const hash = tools && hashOfTools(tools);
    this.ofRuns.set(key, { hash });
    if (hash !== null && tools) this.lists.set(hash, tools);
    return tools;
  }
}
