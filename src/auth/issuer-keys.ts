import type { KeyObject } from 'node:crypto';
import { Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../common/clock.js';
import type { AppConfig } from '../config/app-config.js';
import { loadKeyRing, type KeyRing } from './key-ring.js';
import { hasSigningKey } from './signing-key.js';
import type { VerifyKey } from './verify-key.js';

/** How often DATA_DIR is looked at, and how soon again for a key that is not known, in ms. */
const LOOK_MS = 5000;
const LOOK_AGAIN_MS = 1000;

/**
 * The issuer's keys: one signs, the others verify what was signed before. Keys in DATA_DIR are looked
 * at again while the server runs, so `npm run keys -- rotate` needs no restart, and a replica that
 * meets a key it does not know looks at once.
 */
export class IssuerKeys implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(IssuerKeys.name);
  private readonly listeners = new Set<() => void>();
  private timer: NodeJS.Timeout | null = null;
  private lookedAt = 0;
  /** Why the last look failed; said once, not every five seconds. */
  private fault: string | null = null;

  constructor(
    private readonly config: AppConfig,
    private ring: KeyRing,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    if (this.config.AUTH_SIGNING_KEY) return;
    this.timer = setInterval(() => void this.look(), LOOK_MS);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** The key that signs now. */
  get current(): KeyRing['current'] {
    return this.ring.current;
  }

  /** What verifies now, the signing key first. */
  accepted(): VerifyKey[] {
    const now = this.clock.now();
    const { current, previous } = this.ring;
    const { kid, publicKey, derivation } = current;
    return [
      { kid, publicKey, derivation, acceptedUntil: null },
      ...previous.filter(({ acceptedUntil }) => !acceptedUntil || acceptedUntil > now),
    ];
  }

  /** The public key named `kid`, also when its tokens are no longer accepted: seals are older. */
  known(kid: string): KeyObject | undefined {
    const { current, previous } = this.ring;
    return [current, ...previous].find((key) => key.kid === kid)?.publicKey;
  }

  /** What vouches for audit entries that were written around a rotation at once. */
  inboxSecrets(): Buffer[] {
    const now = this.clock.now();
    return this.ring.previous.flatMap(({ inbox }) =>
      inbox && inbox.until > now ? [inbox.secret] : [],
    );
  }

  /** The key named `kid`, if it verifies now; looks for it once more when it is not known. */
  async find(kid: string): Promise<VerifyKey | null> {
    const known = this.accepted().find((key) => key.kid === kid);
    if (known || this.config.AUTH_SIGNING_KEY) return known ?? null;
    if (performance.now() - this.lookedAt < LOOK_AGAIN_MS) return null;
    await this.look();
    return this.accepted().find((key) => key.kid === kid) ?? null;
  }

  /** Calls `listener` when keys have changed. @returns what ends that. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** Reads the keys again; what cannot be read leaves them as they are. */
  async look(): Promise<void> {
    this.lookedAt = performance.now();
    try {
      // A key is made at the start alone: one that vanished must not end every session.
      if (!(await hasSigningKey(this.config))) throw new Error('DATA_DIR has no signing key');
      const ring = await loadKeyRing(this.config);
      this.fault = null;
      if (fingerprint(ring) === fingerprint(this.ring)) return;
      this.ring = ring;
    } catch (error) {
      const fault = `The signing keys could not be read again: ${String(error)}`;
      if (fault !== this.fault) this.logger.error(fault);
      this.fault = fault;
      return;
    }
    this.logger.log(`The issuer signs with key ${this.ring.current.kid}.`);
    for (const listener of this.listeners) listener();
  }
}

function fingerprint({ current, previous }: KeyRing): string {
  const names = previous.map(({ kid, acceptedUntil }) => `${kid} ${acceptedUntil?.getTime()}`);
  return [current.kid, ...names.toSorted()].join('\n');
}
