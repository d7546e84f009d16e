import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { notFound, throwIfAborted, tooLarge } from '../object-store-error.js';
import { syncFolder } from './object-folders.js';

/** A draft's name has a dot in front, which no key has. */
const DRAFT = /^\.[0-9a-f-]{36}\.draft$/;

/** Whether a file is one that `writeWhole` was still writing. */
export function isDraft(name: string): boolean {
  return DRAFT.test(name);
}

/**
 * Writes a file so that, whatever happens, readers and a machine that comes up again see the old
 * one, the new one or none, never half of it.
 * @param folder real path of its folder.
 * @throws StewardError TIMEOUT or CANCELLED; Error of the file system.
 */
export async function writeWhole(
  folder: string,
  name: string,
  body: Buffer,
  signal?: AbortSignal,
): Promise<void> {
  const draft = join(folder, `.${randomUUID()}.draft`);
  const file = await open(draft, 'wx', 0o600);
  try {
    try {
      await file.writeFile(body, signal ? { signal } : {});
      await file.sync();
    } finally {
      await file.close();
    }
    throwIfAborted(signal);
    await rename(draft, join(folder, name));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/**
 * The bytes of a regular file.
 * @param maxBytes most bytes that are taken into memory.
 * @throws StewardError NOT_FOUND when something else stands there, OUTPUT_TOO_LARGE; Error of the
 *   file system.
 */
export async function readWhole(
  path: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  // Without O_NONBLOCK the opening of a pipe waits for its other end.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw notFound();
    if (stats.size > maxBytes) throw tooLarge(maxBytes);
    return await readExactly(file, stats.size, signal);
  } finally {
    await file.close();
  }
}

/** Names are replaced, never rewritten: a file has the size that it was opened with. */
async function readExactly(file: FileHandle, size: number, signal?: AbortSignal): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(size);
  for (let at = 0; at < size;) {
    throwIfAborted(signal);
    const { bytesRead } = await file.read(buffer, at, Math.min(size - at, 1024 * 1024), at);
    if (bytesRead === 0) throw new Error(`the file ends after ${at} of ${size} bytes`);
    at += bytesRead;
  }
  return buffer;
}
