import { Injectable } from '@nestjs/common';
import type { MemoryScreening } from '../modules/memory/memory.screening.js';
import { findCredential } from '../tool-output/credential-scan.js';

/** Looks at what is to be remembered as the router looks at every call (PROTOCOL §13). */
@Injectable()
export class CredentialScreening implements MemoryScreening {
  findCredential(value: unknown): string | null {
    return findCredential(value)?.path ?? null;
  }
}
