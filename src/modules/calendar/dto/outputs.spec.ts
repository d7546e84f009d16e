import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { createCalendar, type TestCalendar } from '../../../../test/factories/calendar.js';
import { InputSchema } from '../../../tool-router/input/input-schema.js';
import { toJsonData } from '../../../tool-router/pipeline/json-data.js';
import { dtoSchema } from '../../../tool-router/schema/dto-schema.js';
import { isJsonObject } from '../../../common/json.js';
import { EventPageView, ReadEventsOutput } from './event-view.dto.js';
import {
  CreateEventsOutput,
  DeleteEventOutput,
  InvitationAnswerOutput,
  ShareEventOutput,
  UpdateEventOutput,
} from './write-output.dto.js';

describe('outputs of the calendar', () => {
  let at: TestCalendar;

  beforeAll(async () => {
    at = await createCalendar();
  });
  afterAll(() => at.close());

  /** What does not fit the output schema; also members that the schema does not name. */
  function faults(type: Type<object>, data: unknown): unknown[] {
    const json = toJsonData(data);
    if (!isJsonObject(json)) return ['not an object'];
    return new InputSchema(dtoSchema(type))
      .faults(json)
      .map(({ instancePath, message }) => [instancePath, message]);
  }

  it('are what their schemas say', async () => {
    const owner = at.caller('owner');
    const guest = at.caller('guest');
    const full = {
      title: 'a',
      location: 'b',
      notes: 'c',
      start_at: '2026-04-21T15:00:00+08:00',
      attendees: [{ name: 'Amy' }, { email: 'guest@example.com' }, { email: 'x@y.org' }],
    };
    const event = await at.calendar.create(full, owner);
    const days = await at.calendar.create({ title: 'd', start_date: '2026-04-21' }, owner);
    const batch = await at.calendar.create({ events: [full, { title: 'no time' }] }, owner);
    for (const created of [event, days, batch])
      expect(faults(CreateEventsOutput, created)).toEqual([]);
    if ('failed' in event) throw new Error('one event was asked for');

    const day = { mode: 'day', date: '2026-04-21', limit: 2, include_invitations: true } as const;
    for (const caller of [owner, guest, at.caller('stranger')]) {
      expect(faults(ReadEventsOutput, await at.reading.read(day, caller))).toEqual([]);
    }
    const one = await at.reading.read({ mode: 'event', event_id: event.id }, owner);
    expect(faults(ReadEventsOutput, one)).toEqual([]);
    expect(faults(EventPageView, await at.reading.invitations({ limit: 1 }, guest))).toEqual([]);

    const change = { event_id: event.id, location: '', title: 'z', start_date: '2026-04-22' };
    expect(faults(UpdateEventOutput, await at.calendar.update(change, owner))).toEqual([]);
    const invite = {
      event_id: event.id,
      with: [{ email: 'guest@example.com' }, { email: 'n@o.org' }],
    };
    expect(faults(ShareEventOutput, await at.sharing.share(invite, owner))).toEqual([]);
    const answer = await at.sharing.answer({ event_id: event.id }, 'accepted', guest);
    expect(faults(InvitationAnswerOutput, answer)).toEqual([]);
    expect(
      faults(DeleteEventOutput, await at.calendar.delete({ event_id: event.id }, owner)),
    ).toEqual([]);
  });
});
