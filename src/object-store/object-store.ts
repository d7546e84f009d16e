/** An object as a listing tells of it. */
export interface StoredObject {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

/**
 * Where large things lie outside the database: tool outputs and attachments (PROTOCOL §9). Two
 * adapters answer it, any S3 endpoint and a directory, and behave the same.
 *
 * A key is what `objectKey` makes. Every operation may be repeated; one that fails may have been
 * carried out all the same. Failures are `StewardError`: `DEPENDENCY_UNAVAILABLE` when the store does
 * not answer, refuses or answers damaged, `TIMEOUT` past a deadline, `CANCELLED` when `signal` aborts
 * for another reason, `INTERNAL` for a key that is none.
 */
export interface ObjectStore {
  /** Bucket that is noted in records. */
  readonly bucket: string;

  /**
   * Stores the whole object, or nothing; one under the same key is replaced in one step.
   * @throws StewardError as above; OUTPUT_TOO_LARGE past OBJECT_MAX_BYTES.
   */
  put(
    key: string,
    body: Buffer,
    options: { contentType: string; signal?: AbortSignal },
  ): Promise<void>;

  /**
   * The whole object.
   * @param options.maxBytes most bytes that are read, OBJECT_MAX_BYTES unless told.
   * @throws StewardError as above; NOT_FOUND; OUTPUT_TOO_LARGE past maxBytes.
   */
  get(key: string, options?: { signal?: AbortSignal; maxBytes?: number }): Promise<Buffer>;

  /** Removes objects; missing ones are no error. */
  delete(keys: readonly string[]): Promise<void>;

  /**
   * The objects below a prefix in key order (by byte), fetched page by page as they are consumed.
   * @param prefix whole segments, each with its slash (`tool-outputs/thr_1/`), or '' for all.
   */
  list(prefix: string): AsyncIterable<StoredObject>;

  /** Resolves when the store can be used (readiness). @throws StewardError as above. */
  check(): Promise<void>;
}

/** Injection token of the ObjectStore. */
export const OBJECT_STORE = Symbol('OBJECT_STORE');

/** Largest object that is written or, unless told otherwise, read: 256 MiB. */
export const OBJECT_MAX_BYTES = 256 * 1024 * 1024;
