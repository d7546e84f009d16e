import { Injectable } from '@nestjs/common';
import { PersonalData } from '../../database/personal-data.js';

/** Which rows of the address book are about a user. */
@Injectable()
export class ContactsPersonalData {
  constructor(data: PersonalData) {
    data.register([
      {
        kind: 'contact',
        table: 'contacts',
        ofUser: 't.owner_id = $1',
        key: { id: 'text' },
        omit: ['sort_key', 'name_text', 'search_text', 'identity_keys', 'search_keys'],
        bytes: ['avatar_data'],
      },
    ]);
  }
}
