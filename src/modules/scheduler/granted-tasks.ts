import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { SchedulerRepository } from './scheduler.repository.js';

/** The tasks of a person, for whoever takes all of their grants back. */
@Injectable()
export class GrantedTasks {
  constructor(
    private readonly tasks: SchedulerRepository,
    private readonly clock: Clock,
  ) {}

  /** No task of the user has a grant any more; switching one on gives it a new one. For a unit of work. */
  disown(userId: string): Promise<void> {
    return this.tasks.disown(userId, this.clock.now());
  }
}
