import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createContacts, type TestContacts } from '../../../test/factories/contacts.js';
import { VCARD_PIECES, damage, damaged } from '../../../test/factories/damaged-files.js';
import { failAtRow, type Failure } from '../../../test/support/failing-rows.js';
import { StewardError } from '../../common/steward-error.js';

const COUNT = 450;

function card(uid: string, name: string, ...more: string[]): string {
  const lines = ['BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, `FN:${name}`, ...more, 'END:VCARD'];
  return lines.map((line) => `${line}\r\n`).join('');
}

/** More than two INSERTs take. */
const MANY = Array.from({ length: COUNT }, (_, n) =>
  card(`many-${n}`, `Person ${n}`, `EMAIL:p${n}@example.com`),
).join('');

const SMALL = [
  card('wang', '王小明', 'N:王;小明;;;', 'TEL;TYPE=CELL:+86 138 0013 8000', 'NOTE:第一行\\n第二行'),
  card('amy', 'Amy Chen', 'EMAIL;TYPE=WORK:amy@example.com', 'BDAY:1990-02-28', 'ORG:Example;R&D'),
  card('jo', 'Jörg Müller', 'ADR;TYPE=HOME:;;Road 1;Town;;1234;DE', 'CATEGORIES:Friends'),
].join('');

describe('a vCard import is whole or nothing', () => {
  let book: TestContacts;
  beforeAll(async () => {
    book = await createContacts();
  });
  afterEach(() => book.empty());
  afterAll(() => book.close());

  const take = (file: string) => book.vcards.import(file, book.caller());
  const names = async (): Promise<string[]> => {
    const rows = await book.dataSource.query<{ name: string }[]>(
      'SELECT name FROM contacts ORDER BY name',
    );
    return rows.map(({ name }) => name);
  };

  it.each<[Failure, number]>([
    ['raise', 1],
    ['raise', 430],
    ['terminate', 430],
    // The completed contact, written after all that are new.
    ['raise', COUNT + 1],
  ])('when writing fails (%s) at row %i', async (failure, row) => {
    await take(card('known', 'Known'));
    const file = MANY + card('known', 'Known', 'NOTE:more');
    const end = await failAtRow(book.dataSource, 'contacts', row, failure);
    await expect(take(file)).rejects.toThrow();
    expect(await names()).toEqual(['Known']);
    await end();
    expect(await take(file)).toMatchObject({ created: COUNT, updated: 1 });
    expect(await take(file)).toMatchObject({ created: 0, updated: 0, unchanged: COUNT + 1 });
  });

  it('twice at once, it makes one set of contacts', async () => {
    const reports = await Promise.all([take(SMALL), take(SMALL), take(SMALL)]);
    expect(reports.map(({ created }) => created).toSorted((a, b) => a - b)).toEqual([0, 0, 3]);
    expect(reports.map(({ unchanged }) => unchanged).toSorted((a, b) => a - b)).toEqual([0, 3, 3]);
    expect(await names()).toHaveLength(3);
  });

  it('with one UID twice, it makes one contact of both', async () => {
    const twice = card('twice', 'Amy', 'TEL:+8613800138000') + card('twice', 'Amy', 'NOTE:second');
    expect(await take(twice)).toMatchObject({ created: 1, updated: 0 });
    const { vcard } = await book.vcards.export({}, book.caller());
    expect(vcard).toMatch(/TEL[^\r]*138/);
    expect(vcard).toContain('NOTE:second');
  });

  it('whatever was done to the file, what the report counts is what is there', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(damage(VCARD_PIECES), { minLength: 1, maxLength: 6 }),
        async (damages) => {
          await book.empty();
          const broken = damages.reduce(damaged, Buffer.from(SMALL)).toString('utf8');
          try {
            const { created } = await take(broken);
            expect(await names()).toHaveLength(created);
            expect(await take(broken)).toMatchObject({ created: 0, updated: 0 });
          } catch (error) {
            if (!(error instanceof StewardError)) throw error;
            expect(['INVALID_ACTION_INPUT', 'LIMIT_EXCEEDED']).toContain(error.code);
            expect(error.message).toMatch(/^Nothing was imported\. Line \d+ /);
            expect(await names()).toEqual([]);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
