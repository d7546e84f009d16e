import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createContacts, type TestContacts } from '../../../test/factories/contacts.js';

describe('resolve', () => {
  let at: TestContacts;

  beforeAll(async () => {
    at = await createContacts();
    for (const input of [
      {
        name: 'Amy Chen',
        emails: ['amy@example.com'],
        phones: ['138 0013 8000'],
        organization: 'Acme',
      },
      { name: '王小明', aliases: ['老王头'], title: '总经理', phones: ['+86 139-1234-5678'] },
      { name: '王芳', title: '工程师', emails: ['fang.wang@corp.cn'] },
      { name: '李雷', title: '老师', phones: ['010-6552 9988'] },
      { name: '李韩梅' },
      { name: '欧阳修', aliases: ['醉翁'] },
      { name: 'John Smith', family_name: 'Smith', given_name: 'John', title: 'Doctor' },
      { name: 'Bob Stone', organization: 'Acme' },
      { name: 'Bob Wood', organization: 'Initech' },
      { name: '曾国藩' },
      { name: 'Zoë Müller', aliases: ['Zozo 🎉'] },
    ]) {
      const entries = {
        ...input,
        ...(input.emails ? { emails: input.emails.map((value) => ({ value })) } : {}),
        ...(input.phones ? { phones: input.phones.map((value) => ({ value })) } : {}),
      };
      await at.add(entries as Parameters<typeof at.add>[0]);
    }
  });
  afterAll(() => at.close());

  const resolve = (query: string, person = 'owner') => at.reading.resolve(query, at.caller(person));

  it.each<[string, string, string]>([
    ['Amy', 'Amy Chen', 'words'],
    ['amy chen', 'Amy Chen', 'name'],
    ['Chen Amy', 'Amy Chen', 'words'],
    ['ＡＭＹ', 'Amy Chen', 'words'],
    ['amy@example.com', 'Amy Chen', 'email'],
    ['AMY@EXAMPLE.COM', 'Amy Chen', 'email'],
    ['amy@', 'Amy Chen', 'email'],
    ['13800138000', 'Amy Chen', 'phone'],
    ['+86 138-0013-8000', 'Amy Chen', 'phone'],
    ['0086 138 0013 8000', 'Amy Chen', 'phone'],
    ['(138) 0013.8000', 'Amy Chen', 'phone'],
    ['１３８００１３８０００', 'Amy Chen', 'phone'],
    ['6552 9988', '李雷', 'phone'],
    ['王总', '王小明', 'form_of_address'],
    ['王工', '王芳', 'form_of_address'],
    ['李老师', '李雷', 'form_of_address'],
    ['欧阳先生', '欧阳修', 'form_of_address'],
    ['Dr. Smith', 'John Smith', 'form_of_address'],
    ['老王头', '王小明', 'alias'],
    ['醉翁', '欧阳修', 'alias'],
    ['小明', '王小明', 'name'],
    ['wangxiaoming', '王小明', 'pinyin'],
    ['Wang Xiaoming', '王小明', 'pinyin'],
    ['xiaoming', '王小明', 'pinyin'],
    ['wxm', '王小明', 'initials'],
    ['WF', '王芳', 'initials'],
    ['zengguofan', '曾国藩', 'pinyin'],
    ['zgf', '曾国藩', 'initials'],
    ['王晓明', '王小明', 'homophone'],
    ['韩梅', '李韩梅', 'name'],
    ['Jonh Smith', 'John Smith', 'similar'],
    ['zoe muller', 'Zoë Müller', 'name'],
    ['zozo 🎉', 'Zoë Müller', 'alias'],
    ['Bob Acme', 'Bob Stone', 'words'],
    ['Smith', 'John Smith', 'name'],
  ])('finds by %s the one %s', async (query, name, kind) => {
    const { items, ambiguous } = await resolve(query);
    expect({ ambiguous, names: items.map((one) => [one.name, one.matchedBy]) }).toEqual({
      ambiguous: false,
      names: [[name, kind]],
    });
  });

  it.each<[string, string[]]>([
    ['Bob', ['Bob Stone', 'Bob Wood']],
    ['王', ['王小明', '王芳']],
    ['wang', ['王小明', '王芳']],
    ['小王', ['王小明', '王芳']],
    ['李先生', ['李雷', '李韩梅']],
  ])('says that %s is ambiguous', async (query, names) => {
    const { items, ambiguous, candidates } = await resolve(query);
    expect({ items, ambiguous }).toEqual({ items: [], ambiguous: true });
    expect(candidates?.map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  it('asks about a guess', async () => {
    expect(await resolve('Jahn')).toMatchObject({
      ambiguous: true,
      candidates: [{ name: 'John Smith', matchedBy: 'similar' }],
    });
  });

  it.each([
    '',
    ' ',
    '%',
    '_',
    "'",
    'nobody at all',
    '999999999',
    '@',
    '😀',
    '\\',
    '-',
    'a'.repeat(200),
  ])('finds nobody for "%s"', async (query) => {
    expect(await resolve(query)).toEqual({ items: [], count: 0, ambiguous: false });
  });

  it('knows a user of the system by email', async () => {
    expect((await resolve('Amy')).items[0]?.user).toEqual({
      id: 'usr_amy',
      email: 'amy@example.com',
      name: 'Amy',
    });
  });

  it('finds nobody of another user', async () => {
    for (const query of ['Amy', '王总', 'amy@example.com', '13800138000', 'wxm', 'Jonh Smith']) {
      expect(await resolve(query, 'stranger')).toEqual({ items: [], count: 0, ambiguous: false });
    }
  });
});
