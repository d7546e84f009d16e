import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ClientToolSet } from './client-tool-set.js';
import type { ClientTool } from './client-tool.js';

/** Runs whose tools are remembered, and lists that are kept compiled: many runs bring the same. */
const MAX_RUNS = 5_000;
const MAX_SETS = 200;

/** The tools that runs' clients brought; those of a run never change. */
@Injectable()
export class RunClientTools {
  private readonly ofRuns = new LRUCache<string, { hash: string | null }>({ max: MAX_RUNS });
  private readonly sets = new LRUCache<string, ClientToolSet>({ max: MAX_SETS });

  constructor(private readonly uow: UnitOfWork) {}

  /** Those of a run of the user; null where it has none, or is none. */
  async of(userId: string, runId: string | null): Promise<ClientToolSet | null> {
    if (runId === null) return null;
    const key = `${userId} ${runId}`;
    const known = this.ofRuns.get(key);
    if (known?.hash === null) return null;
    const set = known && this.sets.get(known.hash);
    if (set) return set;
    const [row] = await this.uow.manager.query<{ tools: ClientTool[] | null }[]>(
      `SELECT client_tools AS tools FROM agent_runs WHERE user_id = $1 AND id = $2`,
      [userId, runId],
    );
    if (!row) return null;
    this.ofRuns.set(key, { hash: row.tools && hashOf(row.tools) });
    return this.compiled(row.tools);
  }

  /** The same of a list that is at hand. */
  compiled(tools: readonly ClientTool[] | null): ClientToolSet | null {
    if (tools === null || tools.length === 0) return null;
    const hash = hashOf(tools);
    const known = this.sets.get(hash);
    if (known) return known;
    const set = new ClientToolSet(tools);
    this.sets.set(hash, set);
    return set;
  }
}

function hashOf(tools: readonly ClientTool[]): string {
  return createHash('sha256').update(JSON.stringify(tools)).digest('base64url');
}
