import { Injectable } from '@nestjs/common';
import { PersonalData } from '../../database/personal-data.js';

/** Which rows of the memory are about a user. */
@Injectable()
export class MemoryPersonalData {
  constructor(data: PersonalData) {
    data.register([
      {
        kind: 'memory',
        table: 'memory_facts',
        ofUser: 't.user_id = $1',
        key: { id: 'text' },
        omit: ['fingerprint', 'search', 'standing'],
      },
      {
        kind: 'memory_history',
        table: 'memory_history',
        ofUser: 't.user_id = $1',
        key: { fact_id: 'text', version: 'integer' },
      },
    ]);
  }
}
