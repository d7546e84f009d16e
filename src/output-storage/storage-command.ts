import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { AppConfig } from '../config/app-config.js';
import { dataSourceOptions } from '../database/data-source.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { openObjectStore } from '../object-store/object-store.module.js';
import { RecordReader } from '../tool-output/storage/record-reader.js';
import { ToolRecordStore } from '../tool-router/records/tool-record.store.js';
import { ObjectDeletions } from './object-deletions.js';
import { OutputRowRepository } from './output-row.repository.js';
import { RecordMover } from './record-mover.js';
import { RecordPlacer } from './record-placer.js';
import { StorageAudit, type Finding } from './storage-audit.js';
import type { StorageArguments } from './storage-arguments.js';
import { SweepLock } from './sweep-lock.js';

/** Milliseconds for one object; nobody waits for the answer. */
const TIMEOUT_MS = 30_000;
/** A sweep of the server's own goes first; a repair looks again as often as this, once a second. */
const LOCK_ATTEMPTS = 120;

/**
 * `storage verify` on an open database.
 * @param print gets each line for the terminal.
 * @returns the exit status.
 */
export async function verifyStorage(
  { repair, minAgeMs }: StorageArguments,
  config: AppConfig,
  databaseUrl: string,
  print: (line: string) => void,
): Promise<number> {
  const database = dataSourceOptions({ url: databaseUrl, poolSize: 4 });
  const dataSource = await new DataSource(database).initialize();
  try {
    const store = await openObjectStore(config);
    const uow = new UnitOfWork(dataSource);
    const rows = new OutputRowRepository(uow);
    const calls = new ToolRecordStore(uow, new RecordReader(store, config));
    const placing = { ...config, TOOL_OUTPUT_WRITE_TIMEOUT_MS: TIMEOUT_MS };
    const placer = new RecordPlacer(store, placing, calls);
    const deletions = new ObjectDeletions(store, uow, rows);
    const mover = new RecordMover(uow, rows, calls, placer, deletions);
    const findings: Finding[] = [];
    const audit = new StorageAudit(
      { store, rows, mover, uow },
      { repair, minAgeMs, timeoutMs: TIMEOUT_MS },
      (finding) => {
        findings.push(finding);
        print(line(finding));
      },
    );
    if (repair) await alone(new SweepLock(dataSource), () => audit.run());
    else await audit.run();
    const left = findings.filter(({ repaired }) => !repaired).length;
    print(`${findings.length} found, ${findings.length - left} repaired.`);
    return left === 0 ? 0 : 1;
  } finally {
    await dataSource.destroy();
  }
}

function line({ kind, what, detail, repaired }: Finding): string {
  return `${kind} ${what}: ${detail}${repaired ? ', repaired' : ''}`;
}

/** Nobody else moves or deletes objects while this does. */
async function alone(lock: SweepLock, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; attempt <= LOCK_ATTEMPTS; attempt += 1) {
    const done = await lock.attempt(async () => {
      await work();
      return true;
    });
    if (done) return;
    await pause(1000);
  }
  throw new Error('Another process is sweeping the object store.');
}
