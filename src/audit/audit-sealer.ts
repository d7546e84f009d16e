import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { withoutStatementSignal } from '../database/statement-signal.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { AuditKeys } from './audit-keys.js';
import { AuditLogRepository } from './audit-log.repository.js';
import type { ChainEntry, InboxRow } from './audit-rows.js';
import { AuditTrail } from './audit-trail.js';
import { GENESIS, entryHash, type Seal } from './chain.js';
import { searchColumns } from './read-entry.js';

/** Pause between looks at what this process has recorded, in ms. */
const PAUSE_MS = 1000;
/** Every so many pauses the inbox is looked at anyway: a replica may have died with entries in it. */
const LOOK_EVERY = 5;
const BATCH = 500;
/** Batches of one run at most; the next run goes on. */
const MAX_BATCHES = 40;

/**
 * Gives the entries of the inbox their places in the chain: one process at a time, over all
 * replicas, in batches whose head the issuer's key signs. An entry whose transaction commits late is
 * sealed late, because places are given here and nowhere else.
 */
@Injectable()
export class AuditSealer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AuditSealer.name);
  private timer: NodeJS.Timeout | null = null;
  private sealing: Promise<void> | null = null;
  private next: Promise<void> | null = null;
  private pauses = 0;
  private stopped = false;
  /** Newest head that this process has seen: the chain must not end before it. */
  private seen: Pick<Seal, 'seq' | 'hash'> = { seq: 0, hash: GENESIS };

  constructor(
    private readonly log: AuditLogRepository,
    private readonly trail: AuditTrail,
    private readonly keys: AuditKeys,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.onTime(), PAUSE_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearInterval(this.timer);
    await this.next;
    await this.sealing;
  }

  /**
   * Seals what is committed by now; while another replica is sealing it is left to that. Never
   * rejects: what could not be sealed stays in the inbox.
   */
  seal(): Promise<void> {
    if (!this.sealing) {
      this.sealing = withoutStatementSignal(() => this.run()).finally(() => {
        this.sealing = null;
      });
      return this.sealing;
    }
    // The one under way may have looked already.
    this.next ??= this.sealing.then(() => {
      this.next = null;
      return this.seal();
    });
    return this.next;
  }

  private async onTime(): Promise<void> {
    this.pauses = (this.pauses + 1) % LOOK_EVERY;
    if (this.trail.takeFresh() || this.pauses === 0) await this.seal();
  }

  private async run(): Promise<void> {
    try {
      if (await this.log.inboxIsEmpty()) return;
      for (let batch = 0; batch < MAX_BATCHES && !this.stopped; batch += 1) {
        if ((await this.uow.run(() => this.sealBatch())) < BATCH) return;
      }
    } catch (error) {
      if (!this.stopped) this.logger.warn(`The audit could not be sealed: ${String(error)}`);
    }
  }

  /** @returns how many rows left the inbox. */
  private async sealBatch(): Promise<number> {
    if (!(await this.log.tryLock())) return 0;
    const rows = await this.log.inbox(BATCH);
    if (rows.length === 0) return 0;
    const head = await this.log.head();
    this.compare(head);
    // A row that is in the chain already was put back by hand: it leaves and nothing is added.
    const fresh = rows.filter(({ content, sealedContent }) => content !== sealedContent);
    const entries = this.chain(fresh, head);
    const last = entries.at(-1);
    if (last) {
      await this.log.append(entries);
      const firstSeq = (head?.seq ?? 0) + 1;
      const seal = this.keys.sign({
        kind: 'batch',
        firstSeq,
        seq: last.seq,
        hash: last.hash,
        sealedAt: this.clock.now(),
      });
      await this.log.addSeal(seal);
      this.uow.afterCommit(() => {
        this.seen = seal;
      });
    }
    await this.log.removeFromInbox(rows.map(({ id }) => id));
    return rows.length;
  }

  private chain(rows: InboxRow[], head: Seal | null): ChainEntry[] {
    let seq = head?.seq ?? 0;
    let prevHash = head?.hash ?? GENESIS;
    return rows.map(({ id, content, mac, sealedContent }) => {
      seq += 1;
      const columns = searchColumns(content);
      // Nothing holds up the chain: what no server wrote is sealed as just that, for verify to find.
      const attested =
        columns?.id === id && sealedContent === null && this.keys.vouched(content, mac);
      const link = { seq, prevHash, attested, content };
      prevHash = entryHash(link);
      // Its text may say anything, also what no column holds.
      const named = attested && columns ? columns : unreadable(id, this.clock.now());
      return { ...link, hash: prevHash, columns: named };
    });
  }

  /** A chain that was cut short goes on without a trace in the database, but not in this memory. */
  private compare(head: Seal | null): void {
    const { seq, hash } = this.seen;
    const shorter = (head?.seq ?? 0) < seq;
    if (!shorter && (head?.seq !== seq || head.hash === hash)) return;
    this.logger.error(
      `The audit has been changed: it ended with entry ${seq} (${hash}), and ends now with entry ${head?.seq ?? 0}.`,
    );
  }
}

function unreadable(id: string, at: Date): ChainEntry['columns'] {
  return { id, at, kind: 'unreadable', actor: null, subject: null, runId: null };
}
