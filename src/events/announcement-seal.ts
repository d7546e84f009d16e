import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DerivedKeys } from '../auth/derived-keys.js';

/** What the derived key is for; it follows the issuer's when that is rotated. */
const PURPOSE = 'event-announcements';
const BYTES = 32;
/** Length of a seal in base64url. */
const LENGTH = Math.ceil((BYTES * 4) / 3);

/**
 * Says of an announcement that a process of this deployment wrote it: HMAC-SHA-256 with a key that only
 * its replicas have. Whoever can write where announcements travel cannot make one.
 */
export class AnnouncementSeal {
  /** @param scope where announcements travel; one that was made for elsewhere does not hold here. */
  constructor(
    private readonly keys: Pick<DerivedKeys, 'derive' | 'accepted'>,
    private readonly scope: string,
  ) {}

  /** The text with its seal in front. */
  seal(text: string): string {
    return this.mac(this.keys.derive(PURPOSE), text).toString('base64url') + text;
  }

  /** What is sealed, whether or not the seal holds. */
  textOf(sealed: string): string {
    return sealed.slice(LENGTH);
  }

  /** Whether a process of this deployment has sealed it, under any key that is accepted now. */
  holds(sealed: string): boolean {
    const given = Buffer.from(sealed.slice(0, LENGTH), 'base64url');
    const text = this.textOf(sealed);
    return (
      given.length === BYTES &&
      this.keys.accepted(PURPOSE).some((key) => timingSafeEqual(given, this.mac(key, text)))
    );
  }

  private mac(key: Buffer, text: string): Buffer {
    return createHmac('sha256', key).update(`${this.scope}\n`).update(text).digest();
  }
}
