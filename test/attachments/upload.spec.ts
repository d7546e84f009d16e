import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { AttachmentSweeper } from '../../src/agent/attachments/attachment-sweeper.js';
import { LINK_SECONDS } from '../../src/agent/attachments/attachment-links.js';
import { Clock } from '../../src/common/clock.js';
import { OBJECT_STORE, type ObjectStore } from '../../src/object-store/object-store.js';
import { OutputSweeper } from '../../src/output-storage/output-sweeper.js';
import { startAgentApp, type AgentApp } from '../support/agent-app.js';
import type { ApiClient } from '../support/api-client.js';
import { PNG, upload, uploaded } from '../support/files.js';
import { TestClock } from '../support/test-clock.js';

const MAX = 200_000;

describe('attachments', () => {
  let app: AgentApp;
  let amy: ApiClient;
  let ben: ApiClient;
  const clock = new TestClock();

  beforeAll(async () => {
    app = await startAgentApp(
      {
        ATTACHMENT_MAX_BYTES: String(MAX),
        ATTACHMENT_USER_MAX_BYTES: String(2.5 * MAX),
        ACCESS_TOKEN_TTL_SECONDS: '86400',
      },
      { override: (builder) => builder.overrideProvider(Clock).useValue(clock) },
    );
    amy = await app.client().register();
    ben = await app.client().register();
  });
  afterAll(() => app.close());

  const objects = async (): Promise<string[]> => {
    const keys = [];
    const store: ObjectStore = app.app.get(OBJECT_STORE, { strict: false });
    for await (const { key } of store.list('attachments/')) keys.push(key);
    return keys;
  };
  const link = async (client: ApiClient, id: string) =>
    (await client.get(`/agent/attachments/${id}`)).body as { url: string; expiresAt: string };
  const fetchLink = (url: string) => fetch(`${app.url}${url}`);

  it('takes a file, says what it is, and gives it back through a link without a token', async () => {
    const { status, body } = await upload(amy, '../my\u202e 图.txt', PNG);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^att_/),
      name: 'my 图.txt',
      mediaType: 'image/png',
      bytes: PNG.length,
    });
    expect(await objects()).toEqual([`attachments/${amy.userId}/${String(body['id'])}`]);
    const { url, expiresAt, ...rest } = await link(amy, String(body['id']));
    expect(rest).toEqual(body);
    expect(Date.parse(expiresAt)).toBeGreaterThan(clock.now().getTime());
    const answer = await fetchLink(url);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'content-disposition': expect.stringMatching(
        /^inline; filename="my _\.txt"; filename\*=UTF-8''my%20%E5%9B%BE\.txt$/,
      ),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  it('gives what is no picture as a download', async () => {
    const { url } = await link(amy, await uploaded(amy, 'a.txt', 'say <script>'));
    const { headers } = await fetchLink(url);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="a\.txt"/);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('opens nothing with a changed, foreign or old link', async () => {
    const id = await uploaded(amy, 'a.txt', 'private words');
    const other = await uploaded(amy, 'b.txt', 'other words');
    const { url } = await link(amy, id);
    const [path = '', query = ''] = url.split('?');
    const { expires = '', signature = '' } = Object.fromEntries(new URLSearchParams(query));
    const turned = `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`;
    for (const changed of [
      path,
      `${path}?expires=${expires}`,
      `${path}?expires=${expires}&signature=`,
      `${path}?expires=${expires}&signature=${turned}`,
      `${path}?expires=${Number(expires) + 60}&signature=${signature}`,
      `${path.replace(id, other)}?${query}`,
      `${path.replace(id, 'att_none')}?${query}`,
    ]) {
      const answer = await fetchLink(changed);
      expect([changed, answer.status]).toEqual([changed, 404]);
      expect(await answer.text()).not.toContain('words');
    }
    expect((await fetchLink(url)).status).toBe(200);
    clock.advance(LINK_SECONDS + 1);
    expect(await (await fetchLink(url)).json()).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('shows others nothing', async () => {
    const id = await uploaded(amy, 'a.txt', 'mine');
    expect(await ben.get(`/agent/attachments/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
    expect(await app.client().get(`/agent/attachments/${id}`)).toMatchObject({ status: 401 });
    expect(await upload(app.client(), 'a.txt', 'x')).toMatchObject({ status: 401 });
  });

  it('refuses what is no single file of an accepted type and size, and keeps nothing of it', async () => {
    const before = await objects();
    for (const [refusal, status, code, detail] of [
      [await upload(ben, 'a.png', '<svg></svg>'), 400, 'INVALID_ACTION_INPUT', /of a type/],
      [await upload(ben, 'a.txt', ''), 400, 'INVALID_ACTION_INPUT', /is empty/],
      [await upload(ben, 'a.txt', 'x', 'other'), 400, 'INVALID_ACTION_INPUT', /than `file`/],
      [
        await upload(ben, 'a.txt', 'x'.repeat(MAX + 1)),
        413,
        'LIMIT_EXCEEDED',
        /^The file is larger/,
      ],
      [await ben.post('/agent/attachments', { file: 'x' }), 400, 'INVALID_ACTION_INPUT', /no file/],
    ] as const) {
      expect(refusal).toMatchObject({
        status,
        body: { code, detail: expect.stringMatching(detail) },
      });
    }
    expect(await objects()).toEqual(before);
  });

  it('says what is wrong with the body of an upload', async () => {
    const before = await objects();
    const file = 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx\r\n';
    const field = 'Content-Disposition: form-data; name="file"\r\n\r\nx\r\n';
    const nameless = 'Content-Disposition: form-data; filename="a.txt"\r\n\r\nx\r\n';
    const post = async (kind: string, body: string) => {
      const headers = { 'content-type': `${kind}; boundary=b` };
      const answer = await ben.raw('/agent/attachments', { method: 'POST', body, headers });
      const { detail } = (await answer.json()) as { detail: string };
      return `${answer.status} ${detail}`;
    };
    const form = 'multipart/form-data';
    expect(await post(form, `--b\r\n${file}--b\r\n${file}--b--\r\n`)).toMatch(
      /^400 .*more than one/,
    );
    expect(await post(form, `--b\r\n${field}--b--\r\n`)).toMatch(/^400 .*without a file name/);
    expect(await post(form, `--b\r\n${nameless}--b--\r\n`)).toMatch(/^400 .*without a name/);
    expect(await post(form, `--b\r\n${file}`)).toMatch(/^400 .*not whole/);
    expect(await post('multipart/mixed', `--b\r\n${file}--b--\r\n`)).toMatch(/^415 .*form-data/);
    expect(await objects()).toEqual(before);
  });

  it('holds a person to their share, also when files come at once', async () => {
    const cleo = await app.client().register();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((letter) => upload(cleo, `${letter}.txt`, letter.repeat(MAX))),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 413, 413,
    ]);
    await app.app.get(OutputSweeper, { strict: false }).sweep();
    expect((await objects()).filter((key) => key.includes(cleo.userId))).toHaveLength(2);
  });

  it('keeps the object of a file, whatever stands among the deletions', async () => {
    const key = `attachments/${amy.userId}/${await uploaded(amy, 'a.txt', 'kept')}`;
    const database = app.app.get(DataSource);
    await database.query('INSERT INTO object_deletions (key) VALUES ($1)', [key]);
    await app.app.get(OutputSweeper, { strict: false }).sweep();
    expect(await objects()).toContain(key);
  });

  it('forgets files that were never sent after a day, with their objects', async () => {
    const old = await uploaded(amy, 'a.txt', 'old');
    clock.advance(23 * 3600);
    const newer = await uploaded(amy, 'b.txt', 'newer');
    clock.advance(2 * 3600);
    await app.app.get(AttachmentSweeper, { strict: false }).sweep();
    await app.app.get(OutputSweeper, { strict: false }).sweep();
    const left = await objects();
    expect(left).not.toContain(`attachments/${amy.userId}/${old}`);
    expect(left).toContain(`attachments/${amy.userId}/${newer}`);
    const waiting = await app.app
      .get(DataSource)
      .query<object[]>(`SELECT key FROM object_deletions WHERE key LIKE 'attachments/%'`);
    expect(waiting).toEqual([]);
  });
});
