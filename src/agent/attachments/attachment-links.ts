import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DerivedKeys } from '../../auth/derived-keys.js';
import { Clock } from '../../common/clock.js';

/** Seconds for which a link works. */
export const LINK_SECONDS = 5 * 60;

/** What the derived key is for; it follows the issuer's when that is rotated. */
const PURPOSE = 'attachment-links';

/** A link to the content of one attachment, which needs no bearer token. */
export interface AttachmentLink {
  /** Path and query on this server. */
  url: string;
  expiresAt: Date;
}

/**
 * Signed links: whoever has one may read that one object until it expires, and nothing else. The
 * signature stands in the query, which is never logged.
 */
@Injectable()
export class AttachmentLinks {
  constructor(
    private readonly keys: DerivedKeys,
    private readonly clock: Clock,
  ) {}

  sign(id: string): AttachmentLink {
    const expires = Math.floor(this.clock.now().getTime() / 1000) + LINK_SECONDS;
    const query = new URLSearchParams({
      expires: String(expires),
      signature: signature(this.keys.derive(PURPOSE), id, String(expires)).toString('base64url'),
    });
    return {
      url: `/api/v1/agent/attachments/${encodeURIComponent(id)}/content?${query.toString()}`,
      expiresAt: new Date(expires * 1000),
    };
  }

  /** Whether a link to `id` was signed here and still holds. */
  holds(id: string, expires: string, link: string): boolean {
    const given = Buffer.from(link, 'base64url');
    const isRight = this.keys.accepted(PURPOSE).some((key) => {
      const right = signature(key, id, expires);
      return given.length === right.length && timingSafeEqual(given, right);
    });
    return isRight && Number(expires) * 1000 > this.clock.now().getTime();
  }
}

function signature(key: Buffer, id: string, expires: string): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([id, expires]))
    .digest();
}
