import { Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Queue, Worker } from 'bullmq';
import type { UnitOfWork } from '../../../database/unit-of-work.js';
import type { LentConnection, RedisClients } from '../../../redis/redis-clients.js';
import type { RedisLink } from '../../../redis/redis-link.js';
import { RunWakeups, type Wake } from './run-wakeups.js';
import type { RunKey } from '../run.js';

const QUEUE = 'runs';
const JOB = 'run';
/** A Redis that has not taken a job by then is taken for none, in ms. */
const ADD_PATIENCE_MS = 500;
/** Failed jobs say nothing that the run's row does not say better. */
const KEPT_FAILURES = 100;
/** Jobs that lie in Redis at most, about: where nobody takes them, more of them say nothing more. */
const MAX_JOBS = 1_000;

/**
 * Wake-ups as BullMQ jobs, one for a run that waits: one process gets it and stays with it until the
 * run has ended there, so that a process takes no more jobs than it has places. The queue is still
 * the database: which run is executed next, and how many of whom, is decided by the claim. A job that
 * is lost, comes twice or too late changes nothing. While Redis does not answer, or jobs are not taken,
 * runs are announced by notification.
 */
export class BullRunWakeups extends RunWakeups implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(BullRunWakeups.name);
  private readonly link: RedisLink;
  private queue: Queue<RunKey> | null = null;
  private worker: Worker<RunKey> | null = null;
  private lent: LentConnection | null = null;
  private claims = true;

  constructor(
    private readonly clients: RedisClients,
    private readonly fallback: RunWakeups,
    private readonly uow: UnitOfWork,
    private readonly concurrency: number,
  ) {
    super();
    this.link = clients.link({ name: 'runs', silenceMs: ADD_PATIENCE_MS });
  }

  onModuleInit(): void {
    this.link.open();
  }

  async onModuleDestroy(): Promise<void> {
    this.lent?.leave();
    // Its jobs end with their runs, or were handed over: nothing is waited for.
    await this.worker?.close(true);
    await this.queue?.close();
  }

  async announce(run?: RunKey): Promise<void> {
    if (!run) return this.fallback.announce();
    if (!this.link.up) {
      this.clients.fellBack('runs');
      return this.fallback.announce(run);
    }
    return this.uow.afterCommit(() => void this.add(run));
  }

  onWake(wake: Wake): () => void {
    void this.work(wake);
    // What is announced by others whose Redis does not answer, or was never announced.
    return this.fallback.onWake(wake);
  }

  /** Jobs stay in Redis for others, and for later; one that it gets all the same goes on to all. */
  override setClaims(claims: boolean): void {
    this.claims = claims;
    if (!this.worker) return;
    // What Redis has to do with it, it does later: nobody waits for that.
    const done = claims ? this.worker.resume() : this.worker.pause(true);
    void done.catch(() => undefined);
  }

  /** Never rejects. */
  private async add(run: RunKey): Promise<void> {
    try {
      const { Queue } = await import('bullmq');
      const added = await this.link.run(async (connection) => {
        if (!this.queue) {
          this.queue = new Queue<RunKey>(QUEUE, { connection, prefix: this.clients.prefix });
          this.queue.on('error', () => undefined);
        }
        if ((await this.queue.getWaitingCount()) >= MAX_JOBS) return false;
        const { userId, id } = run;
        const options = { removeOnComplete: true, removeOnFail: { count: KEPT_FAILURES } };
        await this.queue.add(JOB, { userId, id }, options);
        return true;
      });
      if (!added) await this.tellTheOthers();
    } catch {
      this.clients.fellBack('runs');
      await this.tellTheOthers();
    }
  }

  private async work(wake: Wake): Promise<void> {
    if (this.concurrency === 0) return;
    const { Worker } = await import('bullmq');
    // Its commands wait for Redis to come back: nobody waits for them.
    this.lent = this.clients.lend('runs-work');
    const process = async ({ data }: { data: RunKey }): Promise<void> => {
      if (!(await wake.takeUp(data))) await this.tellTheOthers();
    };
    this.worker = new Worker<RunKey>(QUEUE, process, {
      connection: this.lent.redis,
      prefix: this.clients.prefix,
      concurrency: this.concurrency,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: KEPT_FAILURES },
    });
    this.worker.on('error', () => undefined);
    if (!this.claims) this.setClaims(false);
  }

  private async tellTheOthers(): Promise<void> {
    try {
      await this.fallback.announce();
    } catch (error) {
      this.logger.warn(`Nobody was told that a run waits: ${String(error)}`);
    }
  }
}
