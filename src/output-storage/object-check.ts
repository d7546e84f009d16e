import { StewardError } from '../common/steward-error.js';
import { within } from '../common/within.js';
import type { ObjectStore } from '../object-store/object-store.js';
import { decodeRecord, type RecordReference } from '../tool-output/storage/record-object.js';

/** What became of an object: there and whole, not there, or not what was written. */
export type ObjectState = 'intact' | 'missing' | 'damaged';

const ATTEMPTS = 2;

/**
 * Reads one object and compares it with what the row says of it.
 * @param timeoutMs milliseconds for one attempt.
 * @throws StewardError when the store cannot be used, so that nothing can be said.
 */
export async function checkObject(
  store: ObjectStore,
  reference: RecordReference,
  timeoutMs: number,
): Promise<ObjectState> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const maxBytes = reference.payload_bytes;
      const body = await within(timeoutMs, (signal) =>
        store.get(reference.storage_path, { signal, maxBytes }),
      );
      return isIntact(body, reference) ? 'intact' : 'damaged';
    } catch (error) {
      const code = error instanceof StewardError ? error.code : null;
      if (code === 'NOT_FOUND') return 'missing';
      if (code === 'OUTPUT_TOO_LARGE') return 'damaged';
      // An answer that breaks may be the object's fault or the store's: the store is asked.
      await within(timeoutMs, () => store.check());
      if (attempt === ATTEMPTS) {
        if (code === 'DEPENDENCY_UNAVAILABLE') return 'damaged';
        throw error;
      }
    }
  }
}

function isIntact(body: Buffer, reference: RecordReference): boolean {
  try {
    decodeRecord(body, reference);
    return true;
  } catch {
    return false;
  }
}
