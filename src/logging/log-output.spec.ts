import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LogOutput, type Writes } from './log-output.js';

function fault(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Writes that end when the test says so. */
function pipe(): { writes: Writes; text: () => string; answer: (end?: Error | number) => void } {
  let text = '';
  let pending: ((end?: Error | number) => void) | null = null;
  const take = (bytes: Buffer, count: number): number => {
    text += bytes.subarray(0, count).toString();
    return count;
  };
  return {
    writes: {
      write: (_fd, bytes, done) => {
        pending = (end) =>
          end instanceof Error ? done(end, 0) : done(null, take(bytes, end ?? bytes.length));
      },
      writeSync: (_fd, bytes) => take(bytes, bytes.length),
    },
    text: () => text,
    answer: (end) => {
      const answered = pending;
      pending = null;
      answered?.(end);
    },
  };
}

describe('LogOutput', () => {
  it('writes lines in order, whatever a write takes of them', () => {
    const { writes, text, answer } = pipe();
    const output = new LogOutput(1, writes);
    output.write('one\n');
    output.write('two\n');
    answer(2);
    output.write('three\n');
    answer();
    answer();
    expect(text()).toBe('one\ntwo\nthree\n');
  });

  it('tries again when the pipe is full, at the end of the process without waiting for its turn', () => {
    const { writes, text, answer } = pipe();
    const output = new LogOutput(1, writes);
    output.write('one\n');
    answer(fault('EAGAIN'));
    output.write('two\n');
    output.flushSync();
    expect(text()).toBe('one\ntwo\n');
  });

  it('drops what a reader who is too slow leaves no room for, and says how much', () => {
    const { writes, text, answer } = pipe();
    const output = new LogOutput(1, writes);
    output.write('first\n');
    const line = `${'x'.repeat(1024 * 1024 - 1)}\n`;
    for (let count = 0; count < 12; count++) output.write(line);
    for (let writes = 0; writes < 12; writes++) answer();
    const lines = text().trimEnd().split('\n');
    expect(lines).toHaveLength(9);
    expect(lines.at(-1)).toContain('5 log line(s) were dropped');
  });

  it('counts what is being written among what it keeps', () => {
    const { writes, text, answer } = pipe();
    const output = new LogOutput(1, writes);
    const line = `${'x'.repeat(5 * 1024 * 1024)}\n`;
    output.write(line);
    output.write(line);
    answer();
    answer();
    expect(text().split('\n')[1]).toContain('1 log line(s) were dropped');
  });

  it('loses at most one write when the process ends in the midst of it', async () => {
    let text = '';
    let first = true;
    const output = new LogOutput(1, {
      write: (_fd, bytes, done) => {
        if (!first) return;
        first = false;
        // Only the first write ends; what it took is not looked at.
        setImmediate(() => done(null, bytes.length));
      },
      writeSync: (_fd, bytes) => {
        text += bytes.toString();
        return bytes.length;
      },
    });
    const line = `${'x'.repeat(99)}\n`;
    for (let count = 0; count < 5001; count++) output.write(line);
    await new Promise((done) => setImmediate(() => setImmediate(done)));
    output.flushSync();
    const lost = 5000 * line.length - text.length;
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThanOrEqual(64 * 1024);
  });

  it('keeps what a full pipe did not take at a fatal line, when the process lives on', () => {
    const { writes, text, answer } = pipe();
    let full = true;
    const writeSync = (fd: number, bytes: Buffer): number => {
      if (full) throw fault('EAGAIN');
      return writes.writeSync(fd, bytes);
    };
    const output = new LogOutput(1, { ...writes, writeSync });
    output.write('one\n');
    answer(fault('EAGAIN'));
    output.write('two\n');
    output.flushSync();
    full = false;
    output.write('three\n');
    for (let times = 0; times < 3; times++) answer();
    expect(text()).toBe('one\ntwo\nthree\n');
  });

  it.each(['EPIPE', 'EIO', 'ENOSPC'])('is over after %s, and ends nothing else', (code) => {
    let asked = 0;
    const failing: Writes = {
      write: (_fd, _bytes, done) => {
        asked++;
        done(fault(code), 0);
      },
      writeSync: () => {
        asked++;
        throw fault(code);
      },
    };
    const output = new LogOutput(1, failing);
    output.write('one\n');
    output.write('two\n');
    output.flushSync();
    expect(asked).toBe(1);

    const atEnd = new LogOutput(1, { ...failing, write: () => undefined });
    atEnd.write('one\n');
    atEnd.write('two\n');
    atEnd.flushSync();
    atEnd.flushSync();
    expect(asked).toBe(2);
  });

  it('gives up on a pipe that stays full when the process ends', () => {
    let asked = 0;
    const output = new LogOutput(1, {
      write: () => undefined,
      writeSync: () => {
        asked++;
        throw fault('EAGAIN');
      },
    });
    output.write('one\n');
    output.write('two\n');
    output.flushSync();
    expect(asked).toBe(20);
  });
});

/** A real process, whose standard output nobody reads any more when it says its last lines. */
async function endOfReaderless(lastWords: string): Promise<[number | null, NodeJS.Signals | null]> {
  const built = pathToFileURL(resolve(import.meta.dirname, '../../dist/src')).href;
  const script = `
    const { createLogger } = await import('${built}/logging/logger.js');
    const { readConfig } = await import('${built}/config/app-config.js');
    const logger = createLogger(readConfig({}));
    process.stdin.once('end', () => {
      logger.info('one');
      ${lastWords}
      process.exit(7);
    }).resume();
    process.stderr.write('listening');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '' },
    timeout: 30_000,
    killSignal: 'SIGKILL',
  });
  const exited = once(child, 'exit');
  await once(child.stderr, 'data');
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.end();
  const [code, signal]: unknown[] = await exited;
  return [typeof code === 'number' ? code : null, signal === 'SIGKILL' ? signal : null];
}

describe('a process whose log has lost its reader', () => {
  it.each([
    ['says more and exits', "logger.info('two');"],
    ['says a fatal line', "logger.fatal('two');"],
  ])('ends when it %s', async (_name, lastWords) => {
    expect(await endOfReaderless(lastWords)).toEqual([7, null]);
  });
});
