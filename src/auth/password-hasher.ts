import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { StewardError } from '../common/steward-error.js';

/** Cost of a hash (RFC 7914 §2); memory is 128 * N * r bytes. */
export interface HashCost {
  /** Binary logarithm of N. */
  ln: number;
  r: number;
  p: number;
}

/**
 * One of the equally strong parameter sets of OWASP's Password Storage Cheat Sheet (N=2^15, r=8,
 * p=3). N=2^17 with p=1 would take four times the memory (128 MiB a hash) and half as long again.
 */
export const DEFAULT_HASH_COST: HashCost = { ln: 15, r: 8, p: 3 };

/** Injection token of HashCost, so that tests that are not about hashing need not wait for it. */
export const HASH_COST = Symbol('HASH_COST');

const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Hashes at once: 64 MiB at most, and half of libuv's four threads stay free for files. */
const MAX_AT_ONCE = 2;
/** Beyond this many waiting (some 15 s of work) a caller is told to come back. */
const MAX_WAITING = 64;

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/=]+)\$([\w+/=]+)$/;

/**
 * Password hashes: scrypt (RFC 7914) in PHC string form, so that the cost can be raised later and
 * older hashes still verify. Few run at once, so that sign-ins cannot exhaust memory.
 */
@Injectable()
export class PasswordHasher {
  /** What a password is compared with when the account does not exist; no password matches it. */
  private readonly nobody: string;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(@Inject(HASH_COST) private readonly cost: HashCost) {
    this.nobody = encode(cost, randomBytes(SALT_BYTES), randomBytes(KEY_BYTES));
  }

  /** @throws StewardError RATE_LIMITED when too many are waiting. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return encode(this.cost, salt, await this.derive(password, salt, this.cost, KEY_BYTES));
  }

  /**
   * Whether the password belongs to the hash. Without a hash (no such account) it does the same
   * work and says no, so that time does not tell which accounts exist.
   * @throws StewardError RATE_LIMITED when too many are waiting.
   */
  async verify(password: string, stored: string | undefined): Promise<boolean> {
    const { cost, salt, key } = decode(stored ?? this.nobody);
    return timingSafeEqual(await this.derive(password, salt, cost, key.length), key);
  }

  private async derive(
    password: string,
    salt: Buffer,
    cost: HashCost,
    bytes: number,
  ): Promise<Buffer> {
    await this.enter();
    try {
      return await runScrypt(password, salt, cost, bytes);
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.running < MAX_AT_ONCE) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= MAX_WAITING) {
      throw new StewardError('RATE_LIMITED', 'Too many sign-ins at once; try again shortly.', {
        retryAfterMs: 5000,
      });
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Hands the place to the next in line, or gives it back. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}

function runScrypt(password: string, salt: Buffer, cost: HashCost, bytes: number): Promise<Buffer> {
  const N = 2 ** cost.ln;
  const options = { N, r: cost.r, p: cost.p, maxmem: 256 * N * cost.r };
  return new Promise((resolve, reject) => {
    // One spelling of the same characters (NIST SP 800-63B §3.1.1.2), whatever the keyboard sends.
    scrypt(password.normalize('NFKC'), salt, bytes, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function encode({ ln, r, p }: HashCost, salt: Buffer, key: Buffer): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64')}$${key.toString('base64')}`;
}

function decode(stored: string): { cost: HashCost; salt: Buffer; key: Buffer } {
  const [, ln, r, p, salt, key] = STORED.exec(stored) ?? [];
  if (!ln || !r || !p || !salt || !key) throw new Error('A stored password hash is damaged.');
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
}
