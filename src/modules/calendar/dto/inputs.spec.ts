import { describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import type { JsonObject } from '../../../common/json.js';
import { InputSchema } from '../../../tool-router/input/input-schema.js';
import { validateByClass } from '../../../tool-router/input/class-validation.js';
import { dtoSchema } from '../../../tool-router/schema/dto-schema.js';
import { FindSlotInput, FreeBusyInput } from '../availability/dto/availability-input.dto.js';
import { ExportIcsInput } from '../ical/dto/export.dto.js';
import { ImportIcsInput } from '../ical/dto/import.dto.js';
import {
  AnswerInviteInput,
  CreateEventsInput,
  DeleteEventInput,
  UpdateEventInput,
} from './event-input.dto.js';
import { ReadEventsInput } from './read-input.dto.js';
import { ShareEventInput } from './share-input.dto.js';

const INPUTS: Record<string, Type<object>> = {
  read: ReadEventsInput,
  create: CreateEventsInput,
  update: UpdateEventInput,
  delete: DeleteEventInput,
  share: ShareEventInput,
  accept_invite: AnswerInviteInput,
  reject_invite: AnswerInviteInput,
  free_busy: FreeBusyInput,
  find_slot: FindSlotInput,
  import_ics: ImportIcsInput,
  export_ics: ExportIcsInput,
};

const SCHEMAS = new Map(
  Object.values(INPUTS).map((type) => [type, new InputSchema(dtoSchema(type))]),
);

/** Paths that schema or class refuse; empty when the input is valid. */
async function faults(method: string, input: JsonObject): Promise<string[]> {
  const type = INPUTS[method];
  if (!type) return ['method'];
  const bySchema = SCHEMAS.get(type)?.faults(input) ?? [];
  const byClass = await validateByClass(type, input);
  return [
    ...bySchema.map((fault) => fault.instancePath.slice(1).replaceAll('/', '.')),
    ...[...byClass.issues, ...byClass.unknownKeys].map((issue) => issue.path),
  ];
}

const EVENT_ID = 'evt_01JE4Z8K3V0W7R5T9Q2M6N8P1X';
const AT = '2026-04-21T15:00:00+08:00';

describe('inputs of the calendar', () => {
  it.each<[string, string, JsonObject, string]>([
    ['a naive date-time', 'create', { title: 'a', start_at: '2026-04-21T15:00:00' }, 'start_at'],
    ['a date as a time', 'create', { title: 'a', start_at: '2026-04-21' }, 'start_at'],
    ['a day that is none', 'create', { title: 'a', start_at: '2026-02-30T15:00:00Z' }, 'start_at'],
    ['hour 24', 'create', { title: 'a', start_at: '2026-04-21T24:00:00Z' }, 'start_at'],
    ['a far year', 'create', { title: 'a', start_at: '+012026-04-21T10:00:00Z' }, 'start_at'],
    ['a date that is none', 'create', { title: 'a', start_date: '2026-13-01' }, 'start_date'],
    ['an unknown zone', 'create', { title: 'a', start_at: AT, timezone: 'Mars/Base' }, 'timezone'],
    ['an offset as zone', 'create', { title: 'a', start_at: AT, timezone: '+08:00' }, 'timezone'],
    ['a blank title', 'create', { title: '  ', start_at: AT }, 'title'],
    ['a long title', 'create', { title: 'x'.repeat(201), start_at: AT }, 'title'],
    ['NUL in a title', 'create', { title: 'a\u0000b', start_at: AT }, 'title'],
    ['half a surrogate', 'create', { title: 'a\ud83d', start_at: AT }, 'title'],
    ['a null title', 'create', { title: null, start_at: AT }, 'title'],
    ['long notes', 'create', { title: 'a', start_at: AT, notes: 'x'.repeat(10_001) }, 'notes'],
    ['no minutes', 'create', { title: 'a', start_at: AT, duration_minutes: 0 }, 'duration_minutes'],
    [
      'half minutes',
      'create',
      { title: 'a', start_at: AT, duration_minutes: 1.5 },
      'duration_minutes',
    ],
    ['a bad email', 'create', { title: 'a', attendees: [{ email: 'a@' }] }, 'attendees.0.email'],
    ['an unknown key', 'create', { title: 'a', start: AT }, 'start'],
    ['an unknown key inside', 'create', { events: [{ title: 'a', at: AT }] }, 'events.0.at'],
    ['an empty batch', 'create', { events: [] }, 'events'],
    ['a batch without title', 'create', { events: [{ start_at: AT }] }, 'events.0.title'],
    ['an unknown mode', 'read', { mode: 'week' }, 'mode'],
    ['a page of nothing', 'read', { mode: 'day', date: '2026-04-21', limit: 0 }, 'limit'],
    ['too large a page', 'read', { mode: 'day', date: '2026-04-21', limit: 201 }, 'limit'],
    ['null to clear', 'update', { event_id: EVENT_ID, location: null }, 'location'],
    [
      'a version as text',
      'update',
      { event_id: EVENT_ID, expected_version: '1a' },
      'expected_version',
    ],
    ['a list as id', 'delete', { event_id: [EVENT_ID] }, 'event_id'],
    ['NUL in an id', 'delete', { event_id: 'evt_\u0000' }, 'event_id'],
    ['sharing with nobody', 'share', { event_id: EVENT_ID, with: [] }, 'with'],
    ['sharing with a name', 'share', { event_id: EVENT_ID, with: ['Amy'] }, 'with.0.email'],
    [
      'an unknown permission',
      'share',
      { event_id: EVENT_ID, with: [{ email: 'a@b.com', permission: 'own' }] },
      'with.0.permission',
    ],
  ])('refuse %s', async (_name, method, input, path) => {
    const found = await faults(method, input);
    expect(
      found.some((place) => place === path || path.startsWith(`${place}.`) || place === ''),
    ).toBe(true);
  });

  it('take people as objects or as text', async () => {
    const input = {
      title: 'a',
      start_at: AT,
      attendees: ['Amy', 'bob@example.com', { name: 'Cy' }],
    };
    expect(await faults('create', input)).toEqual([]);
    const { instance } = await validateByClass(CreateEventsInput, input);
    expect(instance).toMatchObject({
      attendees: [{ name: 'Amy' }, { email: 'bob@example.com' }, { name: 'Cy' }],
    });
  });
});
