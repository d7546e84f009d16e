import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ContactContent, ContactFacts } from '../contact-facts.js';
import { draftContact } from '../contact-draft.js';
import { toE164 } from '../rules/phone.js';
import { readFileCards } from './read-file.js';
import { VcardError } from './vcard-error.js';
import { VCARD_VERSIONS, writeCard } from './write-card.js';

const e164 = (text: string): string | null => toE164(text, 'CN');
const read = (file: string) => readFileCards(file, e164);
const lines = (...text: string[]): string => `${text.join('\r\n')}\r\n`;
const card = (...text: string[]): string =>
  lines('BEGIN:VCARD', 'VERSION:3.0', ...text, 'END:VCARD');

function only(file: string): ContactContent {
  const [first, ...others] = read(file);
  if (!first || others.length > 0) throw new Error('one card was expected');
  return first.content;
}

function asFacts(content: ContactContent): ContactFacts {
  return {
    ...content,
    id: 'con_1',
    ownerId: 'usr_1',
    uid: 'con_1@steward',
    mergedUids: [],
    version: 1,
    createdAt: new Date(0),
    updatedAt: new Date('2026-04-20T08:00:00Z'),
  };
}

const APPLE = lines(
  'BEGIN:VCARD',
  'VERSION:3.0',
  'PRODID:-//Apple Inc.//iPhone OS 17.4//EN',
  'N:王;小明;;;',
  'FN:王小明',
  'NICKNAME:老王',
  'ORG:示例科技;研发部;',
  'TITLE:总经理',
  'item1.EMAIL;type=INTERNET;type=pref:xm@example.com',
  'item1.X-ABLabel:私人邮箱',
  'EMAIL;type=INTERNET;type=WORK:work@example.com',
  'TEL;type=CELL;type=VOICE:+86 138 0013 8000',
  'TEL;type=HOME;type=FAX:010-65529988',
  'item2.ADR;type=HOME:;;示例路 1 号\\n2 楼;上海;;200000;中国',
  'item2.X-ABADR:cn',
  'item3.X-ABDATE;type=pref:2015-06-01',
  'item3.X-ABLabel:_$!<Anniversary>!$_',
  'BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-15',
  'NOTE:第一行\\n第二行\\, 有逗号\\; 有分号 \\\\ 🎉',
  'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQ',
  ' gFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRQ=',
  'END:VCARD',
);

const GOOGLE = lines(
  'BEGIN:VCARD',
  'VERSION:3.0',
  'FN:Amy Chen',
  'N:Chen;Amy;;;',
  'EMAIL;TYPE=INTERNET;TYPE=WORK:amy@example.com',
  'TEL;TYPE=CELL:(415) 555-2671',
  'item1.URL:https\\://example.com/amy?a=1',
  'item1.X-ABLabel:_$!<HomePage>!$_',
  'CATEGORIES:myContacts,Friends',
  'X-SOCIALPROFILE;type=twitter:https://example.com/@amy',
  'END:VCARD',
);

const OUTLOOK = lines(
  'BEGIN:VCARD',
  'VERSION:2.1',
  'N;LANGUAGE=zh-cn;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=E6=9D=8E;=E9=9B=B7',
  'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=E6=9D=8E=E9=9B=B7',
  'TEL;WORK;VOICE:010-6552 9988',
  'ADR;WORK;PREF:;;1 Main St, Suite 5;Beijing;;100000;China',
  'NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:=E7=AC=AC=E4=B8=80=',
  '=E8=A1=8C=0D=0AC:\\new',
  'PHOTO;TYPE=PNG;ENCODING=BASE64:',
  ' iVBORw0KGgo=',
  '',
  'END:VCARD',
);

describe('reading vCards', () => {
  it('reads what an Apple phone writes', () => {
    expect(only(APPLE)).toMatchObject({
      name: '王小明',
      nameParts: { family: '王', given: '小明' },
      aliases: ['老王'],
      organization: '示例科技',
      department: '研发部',
      title: '总经理',
      emails: [
        { value: 'xm@example.com', label: '私人邮箱' },
        { value: 'work@example.com', label: 'work' },
      ],
      phones: [
        { value: '+86 138 0013 8000', e164: '+8613800138000', label: 'cell' },
        { value: '010-65529988', e164: '+861065529988', label: 'home, fax' },
      ],
      addresses: [
        {
          street: '示例路 1 号\n2 楼',
          city: '上海',
          postalCode: '200000',
          country: '中国',
          label: 'home',
        },
      ],
      birthday: '--04-15',
      notes: '第一行\n第二行, 有逗号; 有分号 \\ 🎉',
      avatar: { mediaType: 'image/jpeg' },
      extra: [{ name: 'X-ABADR' }, { name: 'X-ABDATE', group: 'item3' }, { name: 'X-ABLABEL' }],
    });
  });

  it('reads what Google writes', () => {
    expect(only(GOOGLE)).toMatchObject({
      name: 'Amy Chen',
      emails: [{ value: 'amy@example.com', label: 'work' }],
      urls: [{ value: 'https://example.com/amy?a=1', label: 'homepage' }],
      groups: ['myContacts', 'Friends'],
      extra: [{ name: 'X-SOCIALPROFILE' }],
    });
  });

  it('reads what Outlook writes: 2.1, quoted-printable, bare types', () => {
    expect(only(OUTLOOK)).toMatchObject({
      name: '李雷',
      nameParts: { family: '李', given: '雷' },
      phones: [{ value: '010-6552 9988', label: 'work' }],
      addresses: [{ street: '1 Main St, Suite 5', city: 'Beijing', label: 'work' }],
      notes: '第一行\nC:\\new',
      avatar: { mediaType: 'image/png', base64: 'iVBORw0KGgo=' },
    });
  });

  it('reads 4.0: uris, data pictures, yearless birthdays', () => {
    const content = only(
      lines(
        'BEGIN:VCARD',
        'VERSION:4.0',
        'FN:Zoë',
        'FN;LANGUAGE=en:Zoe M',
        'TEL;VALUE=uri;TYPE="cell,home":tel:+86-138-0013-8000',
        'BDAY:--0229',
        'PHOTO:data:image/png;base64,iVBORw0KGgo=',
        'NOTE:one',
        'NOTE:two',
        'END:VCARD',
      ),
    );
    expect(content).toMatchObject({
      name: 'Zoë',
      aliases: ['Zoe M'],
      phones: [{ value: '+86-138-0013-8000', e164: '+8613800138000', label: 'cell, home' }],
      birthday: '--02-29',
      avatar: { mediaType: 'image/png' },
      notes: 'one\n\ntwo',
    });
  });

  it.each<[string, string, number]>([
    ['nothing', '', 1],
    ['a text', 'hello', 1],
    ['a calendar', lines('BEGIN:VCALENDAR', 'END:VCALENDAR'), 1],
    ['no end', lines('BEGIN:VCARD', 'FN:a'), 1],
    ['a card in a card', lines('BEGIN:VCARD', 'FN:a', 'BEGIN:VCARD'), 3],
    ['no colon', card('FN:a', 'NOTE'), 4],
    ['an unclosed quote', card('FN:a', 'TEL;TYPE="a:1'), 4],
    ['another version', lines('BEGIN:VCARD', 'VERSION:5.0', 'FN:a', 'END:VCARD'), 2],
    ['nobody', card('NOTE:x'), 1],
    ['NUL', card('FN:a', 'NOTE:x\u0000'), 4],
    ['a long name', card(`FN:${'x'.repeat(201)}`), 3],
    ['long notes', card('FN:a', `NOTE:${'x'.repeat(10_001)}`), 4],
    ['no base64', card('FN:a', 'PHOTO;ENCODING=b:!!'), 4],
    ['a huge picture', card('FN:a', `PHOTO;ENCODING=b:${'A'.repeat(360_000)}`), 4],
    ['an unknown charset', card('FN;CHARSET=x-none;ENCODING=QUOTED-PRINTABLE:=41'), 3],
    ['bytes of another charset', card('FN;ENCODING=QUOTED-PRINTABLE:=FF=FE'), 3],
    ['half an escape', card('FN;ENCODING=QUOTED-PRINTABLE:=4'), 3],
    [
      'many numbers',
      card('FN:a', ...Array.from({ length: 51 }, (_, n) => `TEL:1380013${n + 1000}`)),
      1,
    ],
    ['a second card', `${card('FN:a')}${card('NOTE:x')}`, 5],
  ])('refuses %s with the line', (_name, file, line) => {
    try {
      read(file);
      throw new Error('it was read');
    } catch (error) {
      expect(error).toBeInstanceOf(VcardError);
      expect(error).toMatchObject({ line });
    }
  });

  it('survives whatever is done to a file', () => {
    const files = [APPLE, GOOGLE, OUTLOOK];
    const mutation = fc.record({
      file: fc.constantFrom(...files),
      at: fc.nat(2_000),
      cut: fc.nat(40),
      insert: fc.oneof(
        fc.string({ maxLength: 8 }),
        fc.constantFrom(
          '\r\n',
          '\n ',
          ':',
          ';',
          '"',
          '=',
          '\\',
          '\u0000',
          '\ud83d',
          'BEGIN:VCARD\r\n',
          '^n',
        ),
      ),
    });
    fc.assert(
      fc.property(mutation, ({ file, at, cut, insert }) => {
        const place = at % file.length;
        const mutated = file.slice(0, place) + insert + file.slice(place + cut);
        try {
          for (const { content } of read(mutated)) {
            // What was read can be written and read again.
            expect(only(writeCard(asFacts(content), '4.0')).name).toBe(content.name);
          }
        } catch (error) {
          if (!(error instanceof VcardError)) throw error;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes long lines in its stride', () => {
    const folded = Array.from({ length: 20_000 }, () => ' x').join('\r\n');
    expect(() => read(card('FN:a', `X-LONG:x\r\n${folded}`))).not.toThrow();
    expect(() =>
      read(card('FN:a', `NOTE;ENCODING=QUOTED-PRINTABLE:${'=\r\n'.repeat(20_000)}`)),
    ).not.toThrow();
    expect(() => read(card(`FN${';a'.repeat(100_000)}:x`))).toThrow(VcardError);
  });
});

describe('export, import, export', () => {
  const text = fc.oneof(
    fc.string({ minLength: 1, maxLength: 30 }),
    fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
    fc.constantFrom(
      '王小明',
      'a;b,c\\d\ne',
      '🎉'.repeat(30),
      ' lead',
      'x: "y"',
      'home, work',
      '\\n',
      'tel:1',
    ),
  );
  const label = fc.oneof(fc.constantFrom('home', 'work, fax', '妈妈家', 'Home', 'a, b'), text);
  const labelled = fc.array(fc.record({ value: text, label }, { requiredKeys: ['value'] }), {
    maxLength: 3,
  });
  const texts = fc.array(text, { maxLength: 3 });
  const input = fc.record(
    {
      name: fc.oneof(text, fc.constant('Amy Chen')),
      family_name: text,
      given_name: text,
      name_suffix: text,
      aliases: texts,
      organization: text,
      department: text,
      title: text,
      emails: fc.array(fc.record({ value: fc.constantFrom('a@b.cn', 'c@d.org'), label })),
      phones: labelled.map((list) => list.map((one) => ({ ...one, value: `1${one.value}` }))),
      urls: fc.array(
        fc.record({ value: fc.constantFrom('https://a.b/?c=1;2,3', 'http://x.y'), label }),
      ),
      addresses: fc.array(
        fc.record(
          { street: text, city: text, postal_code: text, label },
          { requiredKeys: ['street'] },
        ),
        { maxLength: 2 },
      ),
      groups: texts,
      birthday: fc.constantFrom('1996-04-15', '--02-29', '1800-01-01'),
      notes: text,
      avatar: fc.constantFrom('https://a.b/c.png', 'data:image/png;base64,iVBORw0KGgo='),
    },
    { requiredKeys: ['name'] },
  );
  const isWhole = (value: string): boolean => !/\p{Surrogate}/u.test(value) && value.trim() !== '';

  it.each(VCARD_VERSIONS)('is stable in %s, and loses nothing', (version) => {
    fc.assert(
      fc.property(input, (fields) => {
        fc.pre(isWhole(fields.name) && isWhole(JSON.stringify(fields)));
        fc.pre(!/^[\p{Cc}\s]*$/u.test(fields.name));
        const facts = asFacts(draftContact(fields, e164));
        const once = writeCard(facts, version);
        const content = only(once);
        expect(content).toEqual(withoutIdentity(facts));
        expect(writeCard(asFacts(content), version)).toBe(once);
        for (const line of once.split('\r\n'))
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      }),
      { numRuns: 200 },
    );
  });

  it.each(VCARD_VERSIONS)('keeps in %s what other programs wrote', (version) => {
    for (const file of [APPLE, GOOGLE, OUTLOOK]) {
      const content = only(file);
      const once = writeCard(asFacts(content), version);
      expect(only(once)).toEqual(content);
      expect(writeCard(asFacts(only(once)), version)).toBe(once);
    }
  });

  function withoutIdentity(facts: ContactFacts): ContactContent {
    const {
      id: _i,
      ownerId: _o,
      uid: _u,
      mergedUids: _m,
      version: _v,
      createdAt: _c,
      updatedAt: _d,
      ...content
    } = facts;
    return content;
  }
});
