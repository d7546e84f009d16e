import { Injectable } from '@nestjs/common';
import { PersonalData } from '../database/personal-data.js';

/** Which rows of accounts, sessions and the audit are about a user; no secret or hash of one. */
@Injectable()
export class AccountPersonalData {
  constructor(data: PersonalData) {
    data.register([
      {
        kind: 'account',
        table: 'users',
        ofUser: 't.id = $1',
        key: { id: 'text' },
        omit: ['password_hash'],
      },
      { kind: 'session', table: 'sessions', ofUser: 't.user_id = $1', key: { id: 'text' } },
      {
        kind: 'session_refresh',
        table: 'refresh_tokens',
        ofUser: 't.user_id = $1',
        key: { id: 'text' },
        omit: ['token_hash'],
      },
      {
        kind: 'issued_credential',
        table: 'credentials',
        ofUser: 't.user_id = $1',
        key: { jti: 'text' },
      },
      {
        kind: 'audit_entry',
        table: 'audit_entries',
        ofUser: 't.actor = $1 OR t.subject = $1',
        key: { seq: 'bigint' },
        omit: ['attested', 'prev_hash', 'hash'],
      },
    ]);
  }
}
