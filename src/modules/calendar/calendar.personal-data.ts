import { Injectable } from '@nestjs/common';
import { PersonalData } from '../../database/personal-data.js';

/** Which rows of the calendar are about a user. */
@Injectable()
export class CalendarPersonalData {
  constructor(data: PersonalData) {
    data.register([
      {
        kind: 'event',
        table: 'calendar_events',
        ofUser: 't.owner_id = $1',
        key: { id: 'text' },
        omit: ['search_text', 'search_grams'],
      },
      {
        kind: 'attendee',
        table: 'calendar_attendees',
        ofUser: 't.event_id IN (SELECT id FROM calendar_events WHERE owner_id = $1)',
        key: { event_id: 'text', position: 'integer' },
      },
      {
        kind: 'invitation',
        table: 'calendar_attendees',
        ofUser: 't.user_id = $1',
        key: { event_id: 'text', position: 'integer' },
      },
      {
        kind: 'event_request',
        table: 'calendar_creations',
        ofUser: 't.owner_id = $1',
        key: { key: 'text' },
      },
      {
        kind: 'calendar_feed',
        table: 'calendar_feeds',
        ofUser: 't.owner_id = $1',
        key: { id: 'text' },
        omit: ['token_hash', 'content_hash'],
      },
    ]);
  }
}
