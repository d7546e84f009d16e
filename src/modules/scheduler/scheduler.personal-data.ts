import { Injectable } from '@nestjs/common';
import { PersonalData } from '../../database/personal-data.js';

/** Which rows of scheduled tasks and of their history are about a user. */
@Injectable()
export class SchedulerPersonalData {
  constructor(data: PersonalData) {
    data.register([
      {
        kind: 'scheduled_task',
        table: 'scheduled_tasks',
        ofUser: 't.user_id = $1',
        key: { id: 'text' },
      },
      {
        kind: 'scheduled_firing',
        table: 'scheduled_firings',
        ofUser: 't.task_id IN (SELECT id FROM scheduled_tasks WHERE user_id = $1)',
        key: { task_id: 'text', due_at: 'timestamptz' },
      },
    ]);
  }
}
