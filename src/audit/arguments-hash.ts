import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DerivedKeys } from '../auth/derived-keys.js';
import { SIGNING_KEY, type SigningKey } from '../auth/signing-key.js';
import { canonicalJson } from '../common/canonical-json.js';
import type { JsonValue } from '../common/json.js';

/**
 * Hash of a call's arguments for the audit: HMAC-SHA-256 over their canonical JSON, so that equal
 * arguments can be recognised and a known one proved, and nobody without the issuer's key can guess
 * what was meant. `<first 8 of the kid>:<hex>` says which key it was.
 */
@Injectable()
export class ArgumentsHash {
  private readonly secret: Buffer;
  private readonly keyId: string;

  constructor(keys: DerivedKeys, @Inject(SIGNING_KEY) { kid }: SigningKey) {
    this.secret = keys.derive('audit-arguments');
    this.keyId = kid.slice(0, 8);
  }

  /** Of `{module, method, input}` as the record has them. */
  of(args: { module: string; method: string; input: JsonValue }): string {
    const { module, method, input } = args;
    const text = canonicalJson({ module, method, input });
    return `${this.keyId}:${createHmac('sha256', this.secret).update(text).digest('hex')}`;
  }
}
