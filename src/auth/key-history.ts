import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Clock } from '../common/clock.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { IssuerKeys } from './issuer-keys.js';

/** Notes each key that signs, once for all replicas, and records a rotation in the audit. */
@Injectable()
export class KeyHistory implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(KeyHistory.name);
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly keys: IssuerKeys,
    private readonly audit: AuditTrail,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.unsubscribe = this.keys.onChange(() => void this.note());
    await this.note();
  }

  onModuleDestroy(): void {
    this.unsubscribe?.();
  }

  private async note(): Promise<void> {
    const { kid } = this.keys.current;
    try {
      await this.uow.run(async () => {
        const { manager } = this.uow;
        const added = await manager.query<{ previous: string | null }[]>(
          `INSERT INTO issuer_keys (kid, first_used_at) VALUES ($1, $2) ON CONFLICT DO NOTHING
           RETURNING (SELECT k.kid FROM issuer_keys k ORDER BY k.first_used_at DESC LIMIT 1)
             AS previous`,
          [kid, this.clock.now()],
        );
        const previous = added[0]?.previous;
        if (!previous) return;
        await this.audit.record({
          kind: 'keys_rotated',
          actor: 'system',
          subject: kid,
          outcome: 'success',
          details: { previous },
        });
      });
    } catch (error) {
      // Tokens are signed and verified all the same; the next start notes it.
      this.logger.error(`The signing key could not be noted: ${String(error)}`);
    }
  }
}
