import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { addressKey } from './client-address.js';
import { DerivedKeys } from './derived-keys.js';

/** Characters of the hash: enough to tell addresses apart, too few to be anything else. */
const HASH_LENGTH = 24;

/** Addresses as the audit shows them: hashed under a derived key, so that only equal ones show. */
@Injectable()
export class AddressHash {
  constructor(private readonly keys: DerivedKeys) {}

  /** @returns 24 hexadecimal digits. */
  of(address: string | undefined): string {
    const key = this.keys.derive('audit-address');
    const hash = createHmac('sha256', key).update(addressKey(address)).digest('hex');
    return hash.slice(0, HASH_LENGTH);
  }
}
