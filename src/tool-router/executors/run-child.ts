import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { permissionFlags } from './permission-flags.js';

/** As much of stderr as is kept for the log, in bytes. */
const MAX_STDERR = 4096;

/** One run of a script under Node's permission model. */
export interface ChildRun {
  /** Absolute path; the only file that the child may read. */
  script: string;
  args: string[];
  /** The whole environment; nothing is inherited. */
  env: Record<string, string>;
  stdin: string;
  timeoutMs: number;
  /** Bytes of stdout after which the child is killed. */
  maxOutputBytes: number;
}

/** Why a child ended: by itself, or killed for its time, its output, or because of the caller. */
export type ChildEnd = 'exit' | 'timeout' | 'output' | 'abort' | 'spawn';

export interface ChildResult {
  end: ChildEnd;
  /** Null when a signal ended the child, or it could not be started. */
  exitCode: number | null;
  stdout: string;
  /** The first bytes; for the log of the operator only. */
  stderr: string;
}

const notStarted: ChildResult = { end: 'spawn', exitCode: null, stdout: '', stderr: '' };

/**
 * Runs a script to its end and reaps it; SIGKILL ends it when its time or its output is over or
 * `signal` aborts. Resolves in every case, also when the child cannot be started.
 */
export async function runChild(run: ChildRun, signal: AbortSignal): Promise<ChildResult> {
  try {
    return await start(run, signal);
  } catch {
    // No process, no memory or no descriptor left; spawn says so in more than one way.
    return notStarted;
  }
}

function start(run: ChildRun, signal: AbortSignal): Promise<ChildResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [...permissionFlags(process.versions.node, run.script), run.script, ...run.args],
      { cwd: dirname(run.script), env: run.env, stdio: 'pipe', windowsHide: true },
    );
    let end: ChildEnd = 'exit';
    const kill = (why: ChildEnd): void => {
      if (end !== 'exit') return;
      end = why;
      child.kill('SIGKILL');
    };
    // First, because without a listener the event would end this process.
    child.on('error', (error) => {
      if (child.pid === undefined) reject(error);
    });
    const stdout = collect(child.stdout, run.maxOutputBytes, () => kill('output'));
    const stderr = collect(child.stderr, MAX_STDERR, () => undefined);
    // A child that ends before it has read its input closes the pipe; that is no fault of ours.
    child.stdin.on('error', () => undefined);
    child.stdin.end(run.stdin);

    const onAbort = (): void => kill('abort');
    const timer = setTimeout(() => kill('timeout'), run.timeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve({ end, exitCode, stdout: stdout(), stderr: stderr() });
    });
  });
}

/** Keeps the first `max` bytes of a stream; says once when there are more. */
function collect(stream: Readable, max: number, onMore: () => void): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    const kept = chunk.subarray(0, Math.max(0, max - size));
    if (kept.length > 0) chunks.push(kept);
    if (size <= max && size + chunk.length > max) onMore();
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).toString('utf8');
}
