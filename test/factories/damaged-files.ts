import fc from 'fast-check';

/** One thing that somebody did to a file. */
export interface Damage {
  at: number;
  kind: 'cut' | 'insert' | 'flip' | 'repeat' | 'drop line' | 'swap lines';
  bytes: Uint8Array;
}

/** What breaks a calendar file where it lands. */
export const ICAL_PIECES = [
  'BEGIN:VEVENT\r\n',
  'END:VEVENT\r\n',
  'RRULE:FREQ=DAILY;COUNT=99999\r\n',
  ';TZID=',
  ':',
  '\r\n ',
  '"',
  '^n',
  'DTSTART:99991231T235959Z\r\n',
  'RDATE;VALUE=PERIOD:x/y\r\n',
  '\\',
];

/** The same for a file of contacts. */
export const VCARD_PIECES = [
  'BEGIN:VCARD\r\n',
  'END:VCARD\r\n',
  'VERSION:9\r\n',
  'BDAY:2026-02-30\r\n',
  'PHOTO;ENCODING=b:',
  ';ENCODING=QUOTED-PRINTABLE',
  ':',
  '\r\n ',
  '"',
  '\\',
];

export function damage(pieces: string[]): fc.Arbitrary<Damage> {
  return fc.record({
    at: fc.nat(),
    kind: fc.constantFrom(
      'cut' as const,
      'insert' as const,
      'flip' as const,
      'repeat' as const,
      'drop line' as const,
      'swap lines' as const,
    ),
    bytes: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 12 }),
      fc.constantFrom(...pieces).map((text) => Uint8Array.from(Buffer.from(text))),
    ),
  });
}

/** The file after it. */
export function damaged(file: Buffer, { at, kind, bytes }: Damage): Buffer {
  const place = file.length === 0 ? 0 : at % file.length;
  const head = file.subarray(0, place);
  const tail = file.subarray(place);
  switch (kind) {
    case 'cut':
      return Buffer.concat([head, tail.subarray(bytes.length)]);
    case 'insert':
      return Buffer.concat([head, bytes, tail]);
    case 'repeat':
      return Buffer.concat([head, tail.subarray(0, 200), tail]);
    case 'flip': {
      const changed = Buffer.from(file);
      if (changed.length > 0) changed[place] = bytes[0] ?? 0;
      return changed;
    }
    default: {
      const lines = file.toString('latin1').split('\r\n');
      const index = at % lines.length;
      const [line = ''] = lines.splice(index, 1);
      if (kind === 'swap lines') lines.splice((index * 7) % Math.max(lines.length, 1), 0, line);
      return Buffer.from(lines.join('\r\n'), 'latin1');
    }
  }
}
