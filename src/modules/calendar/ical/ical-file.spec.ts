import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { StewardError } from '../../../common/steward-error.js';
import { readIcal, type IcalFile } from './ical-file.js';

const reader = {
  timezone: 'Asia/Shanghai',
  preserve: true,
  isReader: (email: string) => email === 'owner@example.com',
};
const fixture = (name: string) => readFileSync(`test/fixtures/ical/${name}.ics`);
const read = (name: string): IcalFile => readIcal(fixture(name), reader);
const event = (file: IcalFile, uid: string) => {
  const found = file.events.find((one) => one.event.uid === uid && !one.event.replaces);
  if (!found) throw new Error(`${uid} is not in the file`);
  return found.event;
};

/** A file of one event; `lines` may replace the usual ones by name. */
function file(lines: string, calendar = ''): Buffer {
  const body = `BEGIN:VEVENT\r\nUID:one\r\nDTSTART:20260421T070000Z\r\n${lines}END:VEVENT\r\n`;
  return Buffer.from(`BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${calendar}${body}END:VCALENDAR\r\n`);
}

function refusal(bytes: Uint8Array): string {
  try {
    readIcal(bytes, reader);
  } catch (error) {
    if (error instanceof StewardError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'imported';
}

describe('files of Google Calendar', () => {
  const google = read('google');

  it('keeps texts in Chinese with emoji, escapes and folds, in the zone of the calendar', () => {
    expect(event(google, '3f9k2m8q1v5@google.com')).toMatchObject({
      title: '项目周会 📊',
      location: '上海市浦东新区世纪大道 100 号, 三楼会议室',
      notes:
        '议程：\n1. 回顾上周的进展, 讨论风险\n2. 下一步 🚀\n\n加入会议：https://meet.google.com/abc-defg-hij\n请提前阅读文档; 谢谢',
      schedule: {
        allDay: false,
        startAt: new Date('2026-04-21T07:00:00Z'),
        endAt: new Date('2026-04-21T08:00:00Z'),
        timezone: 'Asia/Shanghai',
      },
      people: [
        { name: '王小明', email: 'wang.xiaoming@example.cn' },
        { name: 'Room 3, West', email: 'c_1888@resource.calendar.google.com' },
      ],
      reminders: [
        { minutes_before: 1440, method: 'email' },
        { minutes_before: 10, method: 'popup' },
      ],
      sequence: 1,
      createdAt: new Date('2026-03-31T12:00:00Z'),
    });
  });

  it('keeps a series with its exceptions and overrides', () => {
    expect(event(google, 'standup-77aa@google.com')).toMatchObject({
      schedule: { startAt: new Date('2026-03-02T08:00:00Z'), timezone: 'Europe/Berlin' },
      recurrence: {
        rrule: 'FREQ=WEEKLY;UNTIL=20261231T225959Z;BYDAY=MO',
        rdates: [],
        exdates: ['20260406T090000'],
      },
    });
    const overrides = google.events.filter((one) => one.event.replaces);
    expect(overrides.map((one) => [one.event.title, one.event.cancelled])).toEqual([
      ['Standup (moved)', false],
      ['Standup', true],
    ]);
  });

  it('reads the end of whole days as the day before', () => {
    expect(event(google, 'holiday-51@google.com').schedule).toEqual({
      allDay: true,
      startDate: '2026-05-01',
      endDate: '2026-05-05',
      timezone: 'Asia/Shanghai',
    });
    expect(google.skipped).toEqual([]);
  });
});

describe('files of Outlook', () => {
  const outlook = read('outlook');

  it('maps Windows zones, and keeps backslashes, umlauts and quoted names', () => {
    expect(outlook.events.find((one) => one.event.title === 'Monatsgespräch')?.event).toMatchObject(
      {
        schedule: { startAt: new Date('2026-04-21T08:00:00Z'), timezone: 'Europe/Berlin' },
        recurrence: { rrule: 'FREQ=MONTHLY;COUNT=6;BYDAY=3TU' },
        location: 'Besprechungsraum „Zugspitze“',
        notes:
          'Guten Tag,\n\nbitte die Zahlen mitbringen: C:\\Berichte\\Q1.xlsx\n\nViele Grüße\nJörg',
        people: [
          { name: 'Boss, The', email: 'boss@example.de', preserved: { organizer: '' } },
          { name: 'Müller, Jörg', email: 'joerg.mueller@example.de' },
          { name: 'Amy', email: 'amy@example.com' },
        ],
        reminders: [{ minutes_before: 15, method: 'popup' }],
      },
    );
  });

  it('reads midnight to midnight as whole days where the file says so', () => {
    expect(event(outlook, 'outlook-all-day-1')).toMatchObject({
      title: '年度体检（请空腹）：上午八点到医院三楼体检中心报到，携带身份证',
      schedule: { allDay: true, startDate: '2026-04-23', endDate: '2026-04-24' },
    });
  });

  it('recognises a zone without a name by its rules', () => {
    expect(event(outlook, 'outlook-custom-zone').schedule).toMatchObject({
      startAt: new Date('2026-07-10T13:30:00Z'),
      endAt: new Date('2026-07-10T14:15:00Z'),
      timezone: 'America/New_York',
    });
  });

  it('reports what is no event', () => {
    expect(outlook.skipped).toEqual([
      { line: expect.any(Number), reason: 'VTODO is not an event.' },
    ]);
  });
});

describe('files of Apple Calendar', () => {
  const apple = read('apple');

  it('keeps RDATE, EXDATE lists and alarms', () => {
    expect(event(apple, '0B1F6C5E-8E7A-4C6B-9A55-3D2E1F0A9B8C')).toMatchObject({
      title: 'Brunch 🥞 with the family',
      location: 'Ferry Building\n1 Ferry Building, San Francisco, CA 94111, United States',
      schedule: { timezone: 'America/Los_Angeles', startAt: new Date('2026-03-08T16:00:00Z') },
      recurrence: {
        rrule: 'FREQ=WEEKLY;INTERVAL=1;UNTIL=20260501T065959Z',
        rdates: ['20260401T090000'],
        exdates: ['20260315T090000', '20260322T090000'],
      },
      reminders: [
        { minutes_before: 60, method: 'popup' },
        { minutes_before: 30, method: 'popup' },
      ],
    });
  });

  it('keeps floating times, birthdays and people without an address', () => {
    expect(event(apple, 'FLOATING-1')).toMatchObject({
      title: '吃药 💊',
      schedule: { floating: true, startAt: new Date('2026-05-31T23:00:00Z') },
    });
    expect(event(apple, 'BIRTHDAY-1')).toMatchObject({
      title: '妈妈生日 👩‍👧‍👦🎂',
      people: [{ name: 'Grandma "Nana"' }],
      reminders: [{ minutes_before: 900, method: 'popup' }],
    });
  });

  it('says what it changed', () => {
    expect(apple.notices.map(({ reason, uid }) => [uid, reason])).toEqual([
      ['BIRTHDAY-1', 'a reminder after the start, or too early, is left out.'],
      ['INSTANT-1', 'the event has no length; it is kept as one minute.'],
    ]);
  });
});

describe('what is refused, with its line', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['an empty file', '', 'Line 1: the file is empty.'],
    ['a web page', '<html>\r\n', 'Line 1: BEGIN:VCALENDAR is expected here.'],
    [
      'an address book',
      'BEGIN:VCARD\r\nEND:VCARD',
      'Line 1: BEGIN:VCALENDAR is expected, not BEGIN:VCARD.',
    ],
    [
      'a file that stops',
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1',
      'Line 2: END:VEVENT is missing.',
    ],
    [
      'components that cross',
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\n',
      'Line 3: END:VCALENDAR does not close VEVENT, which began on line 2.',
    ],
    ['vCalendar 1.0', 'BEGIN:VCALENDAR\nVERSION:1.0\nEND:VCALENDAR', 'Line 1: only VERSION 2.0'],
    [
      'a picture',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0x0d]),
      'Line 1: there is a control character',
    ],
    [
      'text that is not UTF-8',
      Buffer.concat([Buffer.from('BEGIN:VCALENDAR\nX-A:'), Buffer.from([0xff, 0x41])]),
      'Line 2: the text is not UTF-8.',
    ],
    [
      'a line of excessive length',
      Buffer.from(`BEGIN:VCALENDAR\nATTENDEE${';X-A=1'.repeat(50_000)}:mailto:a@example.com`),
      'Line 2: the line is longer than 262144 bytes.',
    ],
  ])('%s', (_what, bytes, message) => {
    expect(refusal(Buffer.from(bytes))).toContain(
      `INVALID_ACTION_INPUT The file is no calendar. ${message}`,
    );
  });

  it('a file that is too large or has too many events, saying the limit', () => {
    expect(refusal(Buffer.alloc(5 * 1024 * 1024 + 1, 32))).toContain(
      'LIMIT_EXCEEDED A file to import has at most 5 MiB',
    );
    const events = 'BEGIN:VEVENT\nEND:VEVENT\n'.repeat(5_001);
    expect(refusal(Buffer.from(`BEGIN:VCALENDAR\n${events}END:VCALENDAR`))).toContain(
      'at most 5000 events',
    );
  });

  it.each<[string, string, string]>([
    ['no such date', 'DTEND:20260231T100000Z\r\n', 'DTEND is no date or time that exists.'],
    ['an end before the start', 'DTEND:20260420T100000Z\r\n', 'the event ends before it begins.'],
    [
      'an unknown zone',
      'DTEND;TZID=Mars/Olympus:20260421T100000\r\n',
      'the time zone "Mars/Olympus" is not known.',
    ],
    ['a rule that is none', 'RRULE:FREQ=FORTNIGHTLY\r\n', 'rrule: has FREQ=FORTNIGHTLY'],
    ['two rules', 'RRULE:FREQ=DAILY\r\nRRULE:FREQ=WEEKLY\r\n', 'a second RRULE is not supported.'],
    ['a line that is no property', 'SUMMARY\r\n', 'this is no property (NAME:value).'],
    ['a duration that is none', 'DURATION:soon\r\n', 'DURATION is no duration.'],
    [
      'a range of overrides',
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20260421T070000Z\r\n',
      'RANGE=THISANDFUTURE is not supported.',
    ],
  ])('an event with %s, and no other', (_what, lines, reason) => {
    const found = readIcal(file(lines), reader);
    expect(found.events).toEqual([]);
    expect(found.skipped).toEqual([
      { line: expect.any(Number), reason: expect.stringContaining(reason), uid: 'one' },
    ]);
    expect(found.skipped[0]?.line).toBeGreaterThanOrEqual(3);
  });

  it('nothing hangs on a rule that never comes true', () => {
    const found = readIcal(file('RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=2\r\n'), reader);
    expect(found.skipped).toHaveLength(1);
  });
});

describe('text', () => {
  it('reads UTF-16, a byte order mark, old encodings and bare line feeds', () => {
    const text = file('SUMMARY:会议\r\n').toString('utf8').replaceAll('\r\n', '\n');
    const title = (bytes: Uint8Array, charset?: string) =>
      readIcal(bytes, { ...reader, charset }).events[0]?.event.title;
    expect(title(Buffer.from(`\ufeff${text}`))).toBe('会议');
    expect(title(Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe('会议');
    const gbk = Buffer.concat([
      Buffer.from(text.split('会议')[0] ?? ''),
      Buffer.from([0xbb, 0xe1, 0xd2, 0xe9]),
      Buffer.from(text.split('会议')[1] ?? ''),
    ]);
    expect(title(gbk, 'gb2312')).toBe('会议');
  });

  it('cuts what is too long and says so', () => {
    const found = readIcal(file(`SUMMARY:${'长'.repeat(300)}\r\n`), reader);
    expect(found.events[0]?.event.title).toHaveLength(200);
    expect(found.notices).toContainEqual({
      line: 6,
      reason: 'SUMMARY is cut to 200 characters.',
      uid: 'one',
    });
  });

  it('says that a leap second is kept as the second before', () => {
    const found = readIcal(file('DTEND:20260421T075960Z\r\n'), reader);
    expect(found.events[0]?.event.schedule).toMatchObject({
      endAt: new Date('2026-04-21T07:59:59Z'),
    });
    expect(found.notices).toEqual([
      { line: 6, reason: 'DTEND is a leap second (60); it is kept as second 59.', uid: 'one' },
    ]);
  });

  it('calls an event without a title something', () => {
    expect(readIcal(file(''), reader).events[0]?.event.title).toBe('(No title)');
  });
});
