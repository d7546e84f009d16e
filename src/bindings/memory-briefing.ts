import { Injectable } from '@nestjs/common';
import type { Briefing, BriefingRequest, BriefingSource } from '../agent/briefing-source.js';
import { MemoryRecallService } from '../modules/memory/memory-recall.service.js';

/** Tells a run what the memory knows about its person, as far as they may read it. */
@Injectable()
export class MemoryBriefing implements BriefingSource {
  readonly capability = 'memory.read';

  constructor(private readonly memory: MemoryRecallService) {}

  async briefing({ userId, message, budget }: BriefingRequest): Promise<Briefing> {
    const { facts, lines } = await this.memory.recall(userId, message, budget);
    return { text: lines.join('\n'), items: facts.map(({ id, version }) => ({ id, version })) };
  }
}
