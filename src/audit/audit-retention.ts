import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { AuditKeys } from './audit-keys.js';
import { AuditLogRepository } from './audit-log.repository.js';
import { AuditTrail } from './audit-trail.js';
import { CHAIN_BEGIN, ChainCheck } from './chain-check.js';
import type { Seal } from './chain.js';

const PAUSE_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Entries that one transaction removes. */
const CHUNK = 5000;

/**
 * Removes what is older than `AUDIT_RETENTION_DAYS`: a sealed prefix, for which a signed checkpoint
 * stays, so that the rest can still be checked. A prefix in which something was changed stays, too:
 * it is evidence.
 */
@Injectable()
export class AuditRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AuditRetention.name);
  private timer: NodeJS.Timeout | null = null;
  private removing: Promise<number> | null = null;
  private stopped = false;

  constructor(
    @Inject(APP_CONFIG) private readonly config: Pick<AppConfig, 'AUDIT_RETENTION_DAYS'>,
    private readonly log: AuditLogRepository,
    private readonly trail: AuditTrail,
    private readonly keys: AuditKeys,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.AUDIT_RETENTION_DAYS === 0) return;
    this.timer = setInterval(() => void this.remove(), PAUSE_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearInterval(this.timer);
    await this.removing;
  }

  /** Removes what is too old; a call during another joins it. Never rejects. @returns how many went. */
  remove(): Promise<number> {
    this.removing ??= this.run().finally(() => {
      this.removing = null;
    });
    return this.removing;
  }

  private async run(): Promise<number> {
    let removed = 0;
    if (this.config.AUDIT_RETENTION_DAYS === 0) return removed;
    try {
      for (let chunk = -1; chunk !== 0 && !this.stopped; removed += chunk) {
        chunk = await this.uow.run(() => this.removeChunk());
      }
    } catch (error) {
      this.logger.warn(`Old entries of the audit were not removed: ${String(error)}`);
    }
    return removed;
  }

  private async removeChunk(): Promise<number> {
    if (!(await this.log.tryLock())) return 0;
    const days = this.config.AUDIT_RETENTION_DAYS;
    const before = new Date(this.clock.now().getTime() - days * DAY_MS);
    const checkpoint = await this.log.checkpoint();
    const start = checkpoint?.seq ?? 0;
    const last = await this.log.lastBatch(start, start + CHUNK, before);
    if (!last || !(await this.isWhole(checkpoint, last))) return 0;
    const { seq, hash } = last;
    const facts = { kind: 'checkpoint', firstSeq: 1, seq, hash } as const;
    await this.log.addSeal(this.keys.sign({ ...facts, sealedAt: this.clock.now() }));
    const removed = await this.log.removeCovered(seq);
    await this.trail.record({
      kind: 'audit_retention',
      actor: 'system',
      subject: String(seq),
      outcome: 'success',
      details: { removed, through: seq, before: before.toISOString(), days },
    });
    return removed;
  }

  private async isWhole(checkpoint: Seal | null, { seq }: Seal): Promise<boolean> {
    let faults = 0;
    const check = new ChainCheck(
      this.keys.publicKey,
      () => {
        faults += 1;
      },
      checkpoint ?? CHAIN_BEGIN,
    );
    if (checkpoint) check.checkpoint(checkpoint);
    const after = checkpoint?.seq ?? 0;
    const seals = await this.log.seals(after, seq, CHUNK);
    for (const entry of await this.log.entries(after, seq, CHUNK)) {
      check.entry(entry);
      for (const seal of seals.filter((one) => one.seq === entry.seq)) check.seal(seal);
    }
    check.end();
    if (faults === 0) return true;
    this.logger.error(
      `Entries of the audit up to ${seq} are old enough to be removed, but ${faults} faults were found in them: they stay. Run "npm run audit -- verify".`,
    );
    return false;
  }
}
