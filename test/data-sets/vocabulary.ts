import { searchGrams, searchText } from '../../src/modules/calendar/rules/search-text.js';
import { draftContact } from '../../src/modules/contacts/contact-draft.js';
import { toE164 } from '../../src/modules/contacts/rules/phone.js';
import { searchColumns } from '../../src/modules/contacts/rules/search-keys.js';
import { indexTerms } from '../../src/modules/memory/rules/terms.js';

const SURNAMES = [...'王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗'];
const GIVEN = ['小明', '伟', '芳', '娜', '秀英', '敏', '静', '丽', '强', '磊'];
const FIRST = ['Amy', 'Bob', 'Carla', 'David', 'Emma', 'Frank', 'Grace', 'Henry', 'Iris', 'Jack'];
const LAST = ['Miller', 'Novak', 'Okafor', 'Petrov', 'Quinn', 'Rossi', 'Schmidt', 'Tanaka'];
const SUBJECTS = [
  '项目周会',
  'Design review',
  '体检',
  'Lunch',
  '客户拜访',
  'Budget',
  '晨会',
  'Call',
];

/** What the events of a data set are called: 800 titles, as a calendar stores and finds them. */
export function eventTexts(): object[] {
  return SUBJECTS.flatMap((subject) =>
    Array.from({ length: 100 }, (_, i) => {
      const title = `${subject} ${SURNAMES[i % 20] ?? ''}${GIVEN[i % 10] ?? ''} ${100 + i}`;
      const text = searchText({ title, location: null, notes: null, attendees: [] });
      return { title, text, grams: searchGrams(text) };
    }),
  );
}

/** 1,000 people, as the address book stores and finds them. */
export function people(): object[] {
  return Array.from({ length: 1_000 }, (_, i) => {
    const chinese = `${SURNAMES[i % 20] ?? ''}${GIVEN[Math.floor(i / 20) % 10] ?? ''}${i}`;
    const western = `${FIRST[i % 10] ?? ''} ${LAST[Math.floor(i / 10) % 8] ?? ''} ${i}`;
    const content = draftContact(
      {
        name: i % 2 === 0 ? chinese : western,
        emails: [{ value: `person${i}@example.com` }],
        phones: [{ value: `+86 138 ${String(10_000_000 + i * 7).slice(0, 4)} ${1000 + i}` }],
        organization: `Company ${i % 90}`,
        groups: i % 100 === 0 ? ['vip'] : [],
      },
      (text) => toE164(text, 'CN'),
    );
    return { ...content, ...searchColumns({ ...content, uids: [] }) };
  });
}

/** What is remembered in a data set: 1,000 texts. */
export function factTexts(): object[] {
  return Array.from({ length: 1_000 }, (_, i) => {
    const about = i % 100 === 0 ? '喜欢喝咖啡' : (SUBJECTS[i % 8] ?? '');
    const text = `${about} ${FIRST[i % 10] ?? ''} number ${i}`;
    return { text, terms: indexTerms(null, text) };
  });
}
