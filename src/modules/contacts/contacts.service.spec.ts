import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createContacts, type TestContacts } from '../../../test/factories/contacts.js';

const PNG = 'data:image/png;base64,iVBORw0KGgo=';

describe('contacts', () => {
  let at: TestContacts;

  beforeAll(async () => {
    at = await createContacts();
  });
  beforeEach(() => at.empty());
  afterAll(() => at.close());

  it('keeps everything that it is told', async () => {
    const input = {
      name: '王小明',
      family_name: '王',
      given_name: '小明',
      aliases: ['老王', '老王', ' '],
      organization: 'Acme',
      department: 'R&D',
      title: '总经理',
      emails: [{ value: 'amy@example.com', label: 'work' }, { value: 'AMY@example.com' }],
      phones: [{ value: '138 0013 8000', label: 'cell' }, { value: '+86 138-0013-8000' }],
      addresses: [{ street: '示例路 1 号', city: '上海', postal_code: '200000' }],
      urls: [{ value: 'https://example.com/' }],
      groups: ['customers'],
      birthday: '--04-15',
      notes: 'a\r\nb',
      avatar: PNG,
    };
    const { id } = await at.add(input);
    expect(await at.reading.get(id, at.caller())).toMatchObject({
      name: '王小明',
      familyName: '王',
      aliases: ['老王'],
      emails: [{ value: 'amy@example.com', label: 'work' }],
      phones: [{ value: '138 0013 8000', e164: '+8613800138000', label: 'cell' }],
      addresses: [{ street: '示例路 1 号', city: '上海', postalCode: '200000' }],
      birthday: '--04-15',
      notes: 'a\nb',
      avatar: { mediaType: 'image/png' },
      user: { id: 'usr_amy' },
      version: 1,
    });
    const { bytes, mediaType } = await at.reading.picture(id, at.caller());
    expect([mediaType, bytes.toString('base64')]).toEqual(['image/png', 'iVBORw0KGgo=']);
  });

  it('names a contact by what there is, and refuses nobody', async () => {
    for (const [input, name] of [
      [{ family_name: '李', given_name: '雷' }, '李雷'],
      [{ family_name: 'Chen', given_name: 'Amy' }, 'Amy Chen'],
      [{ organization: 'Acme' }, 'Acme'],
      [{ phones: [{ value: '110 120' }] }, '110 120'],
    ] as const) {
      expect((await at.contacts.create({ ...input } as object, at.caller())).name).toBe(name);
    }
    await expect(at.add({ notes: 'x' })).rejects.toMatchObject({ code: 'INVALID_ACTION_INPUT' });
  });

  it('tells of contacts that share something', async () => {
    const first = await at.add({ name: 'Amy', phones: [{ value: '13800138000' }] });
    const second = await at.add({ name: 'A. Chen', phones: [{ value: '+86 138 0013 8000' }] });
    expect(first.possibleDuplicates).toBeUndefined();
    expect(second.possibleDuplicates).toEqual([{ id: first.id, name: 'Amy' }]);
  });

  it('changes what is named, and says what changed', async () => {
    const { id } = await at.add({
      name: 'Amy',
      emails: [{ value: 'a@b.cn' }],
      phones: [{ value: '13800138000' }],
      title: 'x',
    });
    const changed = await at.contacts.update(
      {
        contact_id: id,
        title: '',
        add: { emails: [{ value: 'c@d.org' }], groups: ['vip'] },
        remove: { phones: ['+86 138-0013-8000'], emails: ['A@B.CN'] },
        expected_version: 1,
      },
      at.caller(),
    );
    expect(changed).toMatchObject({ version: 2, phones: [], emails: [{ value: 'c@d.org' }] });
    expect(changed.changes.map(({ field }) => field)).toEqual([
      'title',
      'emails',
      'phones',
      'groups',
    ]);
    const same = await at.contacts.update({ contact_id: id, name: 'Amy' }, at.caller());
    expect(same).toMatchObject({ version: 2, changes: [] });
    await expect(
      at.contacts.update({ contact_id: id, remove: { emails: ['no@b.cn'] } }, at.caller()),
    ).rejects.toMatchObject({ details: { issues: [{ path: 'remove.emails.0' }] } });
  });

  it('lets one of two changes with the same version win', async () => {
    const { id } = await at.add('Amy');
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((title) =>
        at.contacts.update({ contact_id: id, title, expected_version: 1 }, at.caller()),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CONFLICT' });
    }
  });

  it('says the limit', async () => {
    const { id } = await at.add({
      name: 'Amy',
      groups: Array.from({ length: 50 }, (_, n) => `g${n}`),
    });
    await expect(
      at.contacts.update({ contact_id: id, add: { groups: ['one more'] } }, at.caller()),
    ).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', message: expect.stringContaining('50') });
    const avatar = `data:image/png;base64,${'A'.repeat(360_000)}`;
    await expect(at.add({ name: 'Bob', avatar })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('262144'),
    });
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html;base64,AAAA', 'x'])(
    'takes no avatar %s',
    async (avatar) => {
      await expect(at.add({ name: 'Amy', avatar })).rejects.toMatchObject({
        code: 'INVALID_ACTION_INPUT',
      });
    },
  );

  it('pages by name, Chinese by sound', async () => {
    for (const name of ['Bob', '王芳', 'Amy', '李雷', 'amy', '艾米']) await at.add(name);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await at.reading.read(
        { mode: 'list', limit: 2, ...(cursor ? { cursor } : {}) },
        at.caller(),
      );
      seen.push(...(page.items ?? []).map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(['艾米', 'Amy', 'amy', 'Bob', '李雷', '王芳']);
  });

  it('finds duplicates over a third and merges them', async () => {
    const a = await at.add({ name: 'Amy', emails: [{ value: 'a@b.cn' }], notes: 'one' });
    const b = await at.add({
      name: 'A. Chen',
      emails: [{ value: 'A@b.cn' }],
      phones: [{ value: '13800138000' }],
      notes: 'two',
    });
    const c = await at.add({
      name: '陈',
      phones: [{ value: '138-0013-8000' }],
      birthday: '--04-15',
    });
    await at.add('Bob');
    const found = await at.reading.read({ mode: 'duplicates' }, at.caller());
    expect(found).toMatchObject({ count: 1, groups: [{ reasons: ['email', 'phone'] }] });
    expect(found.groups?.[0]?.contacts.map(({ id }) => id)).toEqual([a.id, b.id, c.id]);
    const merged = await at.contacts.merge(
      { contact_id: a.id, other_ids: [b.id, c.id], expected_version: 1 },
      at.caller(),
    );
    expect(merged).toMatchObject({
      name: 'Amy',
      aliases: ['A. Chen', '陈'],
      emails: [{ value: 'a@b.cn' }],
      phones: [{ value: '13800138000', e164: '+8613800138000' }],
      birthday: '--04-15',
      notes: 'one\n\ntwo',
      version: 2,
      merged: [{ id: b.id }, { id: c.id }],
    });
    expect(await at.reading.read({ mode: 'list' }, at.caller())).toMatchObject({ count: 2 });
  });

  it('merges all or nothing', async () => {
    const a = await at.add('Amy');
    const strange = await at.add('Bob', 'stranger');
    for (const other_ids of [[strange.id], ['con_none'], [a.id]]) {
      await expect(
        at.contacts.merge({ contact_id: a.id, other_ids }, at.caller()),
      ).rejects.toMatchObject({ code: expect.stringMatching(/NOT_FOUND|INVALID/) });
    }
    expect(await at.reading.get(strange.id, at.caller('stranger'))).toMatchObject({ version: 1 });
  });

  it('refuses fields that the mode does not have', async () => {
    for (const input of [
      { mode: 'list', query: 'x' },
      { mode: 'search' },
      { mode: 'resolve', query: 'x', limit: 3 },
      { mode: 'contact' },
      { mode: 'list', cursor: 'e30' },
    ] as const) {
      await expect(at.reading.read(input, at.caller())).rejects.toMatchObject({
        code: 'INVALID_ACTION_INPUT',
      });
    }
  });

  describe('files', () => {
    const file = (...cards: string[][]): string =>
      cards
        .map((card) => ['BEGIN:VCARD', 'VERSION:3.0', ...card, 'END:VCARD', ''].join('\r\n'))
        .join('');

    it('imports once, completes later, changes nothing again', async () => {
      const first = file(
        ['UID:1', 'FN:Amy', 'EMAIL:a@b.cn'],
        ['FN:Bob'],
        ['FN:Team', 'KIND:group'],
      );
      expect(await at.vcards.import(first, at.caller())).toMatchObject({
        created: 2,
        updated: 0,
        skipped: [{ line: 11 }],
      });
      expect(await at.vcards.import(first, at.caller())).toMatchObject({
        created: 0,
        updated: 0,
        unchanged: 2,
      });
      const second = file(['UID:1', 'FN:Amy Chen', 'TEL:13800138000']);
      expect(await at.vcards.import(second, at.caller())).toMatchObject({ created: 0, updated: 1 });
      expect(await at.vcards.import(second, at.caller())).toMatchObject({
        updated: 0,
        unchanged: 1,
      });
      const { items } = await at.reading.resolve('Amy Chen', at.caller());
      expect(items).toMatchObject([{ name: 'Amy', emails: [{}], phones: [{}], version: 2 }]);
    });

    it('knows every kind of fact again', async () => {
      const rich = file([
        'N:Chen;Amy;;Dr.;',
        'FN:Amy Chen',
        'UID:rich',
        'item1.EMAIL:a@b.cn',
        'item1.X-ABLabel:mine',
        'TEL;TYPE=HOME,FAX:010-65529988',
        'ADR;TYPE=HOME:;;1 Main St;Berlin;BE;10115;Germany',
        'URL:https://a.b/?c=1,2',
        'X-SOCIALPROFILE;TYPE=x:https://a.b/@amy',
        'PHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgo=',
        'NOTE:one\\ntwo',
      ]);
      expect(await at.vcards.import(rich, at.caller())).toMatchObject({ created: 1 });
      expect(await at.vcards.import(rich, at.caller())).toMatchObject({ updated: 0, unchanged: 1 });
      const out = await at.vcards.export({ version: '4.0' }, at.caller());
      expect(await at.vcards.import(out.vcard, at.caller())).toMatchObject({
        updated: 0,
        unchanged: 1,
      });
    });

    it('imports all or nothing', async () => {
      const bad = file(['FN:Amy'], ['NOTE:nobody']);
      await expect(at.vcards.import(bad, at.caller())).rejects.toMatchObject({
        code: 'INVALID_ACTION_INPUT',
        message: expect.stringContaining('Line 5'),
      });
      const many = Array.from({ length: 5_001 }, () => 'BEGIN:VCARD\nFN:a\nEND:VCARD\n').join('');
      await expect(at.vcards.import(many, at.caller())).rejects.toMatchObject({
        code: 'LIMIT_EXCEEDED',
        message: expect.stringContaining('5000'),
      });
      expect(await at.reading.list({}, at.caller())).toMatchObject({ count: 0 });
    });

    it('exports what another address book imports', async () => {
      await at.add({ name: '王小明', emails: [{ value: 'a@b.cn' }], groups: ['vip'], avatar: PNG });
      await at.add('Bob');
      const pieces: string[] = [];
      for await (const piece of at.vcards.exportAll({ version: '3.0' }, at.caller()))
        pieces.push(piece);
      await at.vcards.import(pieces.join(''), at.caller('other'));
      const there = await at.vcards.export({ version: '3.0' }, at.caller('other'));
      expect(there).toMatchObject({ count: 2 });
      expect(there.vcard).toBe(pieces.join(''));
      const page = await at.vcards.export({ limit: 1 }, at.caller());
      expect(page).toMatchObject({ count: 1, nextCursor: expect.any(String) });
      expect((await at.vcards.export({ group: 'VIP' }, at.caller())).vcard).toContain('王小明');
    });
  });

  it('shows another user nothing, and says the same as of nobody', async () => {
    const { id } = await at.add({
      name: 'Amy',
      emails: [{ value: 'amy@example.com' }],
      avatar: PNG,
    });
    const mine = await at.add('Bob', 'stranger');
    const stranger = at.caller('stranger');
    const calls: Record<string, (contact_id: string) => Promise<unknown>> = {
      get: (one) => at.reading.get(one, stranger),
      read: (one) => at.reading.read({ mode: 'contact', contact_id: one }, stranger),
      picture: (one) => at.reading.picture(one, stranger),
      update: (one) => at.contacts.update({ contact_id: one, name: 'x' }, stranger),
      version: (one) => at.contacts.update({ contact_id: one, expected_version: 9 }, stranger),
      delete: (one) => at.contacts.delete({ contact_id: one }, stranger),
      merge: (one) => at.contacts.merge({ contact_id: one, other_ids: [mine.id] }, stranger),
      swallow: (one) => at.contacts.merge({ contact_id: mine.id, other_ids: [one] }, stranger),
      export: (one) => at.vcards.export({ contact_ids: [one] }, stranger),
    };
    for (const call of Object.values(calls)) {
      const [real, none] = await Promise.all(
        [id, 'con_01JE4Z8K3V0W7R5T9Q2M6N8P1X'].map((one) =>
          call(one).catch((error: unknown) => error),
        ),
      );
      expect(real).toMatchObject({ code: 'NOT_FOUND' });
      expect(real).toEqual(none);
    }
    const found = [
      await at.reading.list({}, stranger),
      await at.reading.list({ query: 'Amy' }, stranger),
      await at.reading.list({ query: 'example' }, stranger),
    ];
    expect(found.flatMap(({ items }) => items.map(({ name }) => name))).toEqual(['Bob']);
    expect((await at.reading.duplicates({}, stranger)).groups).toEqual([]);
    expect((await at.vcards.export({}, stranger)).vcard).not.toContain('Amy');
    expect(await at.reading.get(id, at.caller())).toMatchObject({ version: 1 });
  });
});
