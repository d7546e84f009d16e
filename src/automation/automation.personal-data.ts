import { Injectable } from '@nestjs/common';
import { PersonalData } from '../database/personal-data.js';

/** Which grants are a user's, those that were taken back among them. */
@Injectable()
export class AutomationPersonalData {
  constructor(data: PersonalData) {
    data.register([
      {
        kind: 'automation_grant',
        table: 'automation_grants',
        ofUser: 't.user_id = $1',
        key: { id: 'text' },
      },
    ]);
  }
}
