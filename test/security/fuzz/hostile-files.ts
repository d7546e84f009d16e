import fc from 'fast-check';
import { DATE_TEXTS, hostileText } from './hostile-values.js';

const LINES = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'BEGIN:VEVENT',
  'UID:1',
  'DTSTART:20261201T100000Z',
  'DTSTART;TZID=Nowhere/Land:20261201T100000',
  'DTEND:20261201T110000Z',
  'DURATION:P9999999999D',
  'RRULE:FREQ=SECONDLY',
  'RRULE:FREQ=DAILY;COUNT=99999999999',
  'EXDATE:x',
  'SUMMARY:Review',
  'ATTENDEE;CN="a:b":mailto:a@example.com',
  'END:VEVENT',
  'END:VCALENDAR',
  'BEGIN:VCARD',
  'VERSION:4.0',
  'VERSION:3.0',
  'FN:Amy Chen',
  'N:Chen;Amy;;;',
  'TEL;TYPE=cell:+8613800138000',
  'PHOTO;ENCODING=b:////',
  'PHOTO:data:image/png;base64,AAAA',
  'BDAY:--0229',
  'END:VCARD',
  ' folded',
  ';;;:::',
];

const line: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...LINES) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('SUMMARY', 'DTSTART', 'RRULE', 'UID', 'FN', 'EMAIL', 'BDAY', 'X-A'),
        fc.oneof(hostileText, fc.constantFrom(...DATE_TEXTS)),
      )
      .map(([name, value]) => `${name}:${value}`),
  },
  { weight: 1, arbitrary: hostileText },
);

const EVENT = LINES.slice(0, 5).concat('SUMMARY:Review', 'END:VEVENT', 'END:VCALENDAR');
const CARD = ['BEGIN:VCARD', 'VERSION:4.0', 'FN:Amy', 'END:VCARD'];

/** Calendar and contact files: whole ones with a line put in anywhere, and heaps of lines. */
export const damagedFile: fc.Arbitrary<string> = fc.oneof(
  fc.array(line, { maxLength: 20 }).map((lines) => lines.join('\r\n')),
  fc
    .tuple(fc.constantFrom(EVENT, CARD), line, fc.nat(8))
    .map(([whole, more, at]) => [...whole.slice(0, at), more, ...whole.slice(at)].join('\r\n')),
  hostileText,
);
