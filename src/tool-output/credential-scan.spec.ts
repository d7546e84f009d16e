import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { REDACTED, findCredential, redactCredentials, redactText } from './credential-scan.js';

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const JWT = `${b64({ alg: 'EdDSA', typ: 'JWT' })}.${b64({ sub: 'usr_1', exp: 1 })}.c2lnbmF0dXJl`;

describe('findCredential', () => {
  it.each([
    'token',
    'access_token',
    'accessToken',
    'ACCESS-TOKEN',
    'refresh_token',
    'Authorization',
    'api_key',
    'X-API-Key',
    'access_key',
    'secret_key',
    'owner_id',
    'ownerId',
    'credential',
    'bearer',
    'password',
    'PROJECT_CLI_CREDENTIAL',
    'to\u200bken',
    'ｔｏｋｅｎ',
  ])('refuses the key %s, whatever its value', (key) => {
    expect(findCredential({ a: [{ [key]: 1 }] })).toEqual({ path: `a.0.${key}` });
  });

  it.each([
    ['a bearer header', 'Bearer abc123'],
    ['a bearer header in lower case', 'bearer sk-abcdef'],
    ['a header with its name', 'Authorization: Bearer abcdef'],
    ['a bearer header in a text', 'use Bearer 9f86d081884c7d659a2feaa0c55ad015 please'],
    ['a JWT', JWT],
    ['a JWT in a text', `请用这个：${JWT}。谢谢`],
    ['a JWT in a URL', `https://example.com/x?auth=${JWT}&y=1`],
    ['a JWT glued to a word', `token_${JWT}`],
    [
      'a JWT whose header begins with a space',
      `${Buffer.from(' {"alg":"none"}').toString('base64url')}.e30.`,
    ],
    ['an encrypted JWT', `${b64({ alg: 'dir', enc: 'A256GCM' })}..iv.text.tag`],
    ['a key of a model provider', 'sk-proj-A9f86d081884c7d659a2feaa0c55ad015'],
    ['an older one in a text', '我的密钥是 sk-9f86d081884c7d659a2feaa0c55ad015。'],
    ['a token of a code host', `see ghp_${'a1B2c3'.repeat(6)} there`],
    ['an access key id', 'id=AKIAIOSFODNN7EXAMPLE'],
    ['JSON in a string', JSON.stringify({ note: { access_token: 'x' } })],
    ['a string written as JSON, escaped', `"${JWT.replace('J', String.raw`\u004a`)}"`],
    ['one in another', JSON.stringify(`"${JWT.replace('J', String.raw`\u004a`)}"`)],
    ['JSON in JSON in a string', JSON.stringify({ note: JSON.stringify([`x ${JWT}`]) })],
  ])('refuses a value that is %s, without echoing it', (_, value) => {
    const found = findCredential({ notes: ['fine', value] });
    expect(found?.path).toMatch(/^notes\.1/);
    expect(JSON.stringify(found)).not.toContain('eyJ');
  });

  it('does not echo a key that is a credential', () => {
    expect(findCredential({ [JWT]: 1 })).toEqual({ path: REDACTED });
  });

  it.each([
    { title: 'token review' },
    { title: 'sk-learn-course-2026-for-beginners', notes: 'AKIA is a prefix, hf_hub a name' },
    { notes: 'password reset for the owner, ask for the access key at the desk' },
    { owner: 'usr_1', page_token: 'abc', tokens: 3, secretary: 'Amy' },
    { title: 'Bearer of bad news' },
    { title: 'On bearer authentication/authorization' },
    { notes: 'v1.2.3, www.example.com, a.b.c.d.e, eyJ.eyJ.eyJ' },
    { notes: '{not json} [draft]', id: 'evt_01JE4Z8K3V0W7R5T9Q2M6N8P1X' },
    { start_at: '2026-04-21T00:00:00+08:00', path: 'constructor' },
  ])('lets ordinary data pass: %j', (input) => {
    expect(findCredential(input)).toBeNull();
    expect(redactCredentials(input)).toEqual(input);
  });

  it('does bounded work on deep, long and awkward input', () => {
    const deep: unknown = JSON.parse(
      '{"a":'.repeat(50_000) + JSON.stringify(JWT) + '}'.repeat(50_000),
    );
    expect(findCredential(deep)?.path.length).toBeLessThanOrEqual(300);
    expect(JSON.stringify(redactCredentials(deep))).not.toContain(JWT);
    const long = ['a'.repeat(1e6), 'eyJ'.repeat(3e5), 'e.'.repeat(5e5), 'bearer '.repeat(1e5)];
    expect(findCredential([...long, `Bearer ${' '.repeat(1e6)}`])).toBeNull();
    expect(redactText(`"${'\\'.repeat(1e6)}`)).toHaveLength(1_000_001);
  });

  it.each([null, undefined, 1, true, '', [], {}, () => 1])('takes any value: %p', (value) => {
    expect(findCredential(value)).toBeNull();
  });

  it('finds a JWT wherever it is put, and redaction leaves none', () => {
    const place = fc.tuple(fc.jsonValue(), fc.string(), fc.string(), fc.array(fc.string()));
    fc.assert(
      fc.property(place, ([value, before, after, keys]) => {
        let input: unknown = { other: value, text: `${before} ${JWT} ${after}` };
        for (const key of keys) input = { [key]: [input] };
        expect(findCredential(input)).not.toBeNull();
        const redacted = redactCredentials(input);
        expect(JSON.stringify(redacted)).not.toContain(JWT);
        expect(findCredential(redactText(JSON.stringify(input)))).toEqual(
          findCredential(JSON.stringify(redacted)),
        );
      }),
    );
  });

  it('redaction keeps everything when there is nothing to find', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(findCredential(value) === null);
        const json = JSON.stringify(value);
        expect(JSON.stringify(redactCredentials(JSON.parse(json)))).toBe(json);
        expect(redactText(json)).toBe(json);
      }),
    );
  });
});

describe('redaction', () => {
  it('replaces values under credential keys and tokens in texts', () => {
    expect(
      redactCredentials({ token: { a: 1 }, note: `go ${JWT} now`, list: ['Bearer abcdef', 2] }),
    ).toEqual({ token: REDACTED, note: `go ${REDACTED} now`, list: [REDACTED, 2] });
  });

  it('keeps a member named __proto__ a member', () => {
    const input: unknown = JSON.parse('{"__proto__":{"token":"x"},"a":1}');
    expect(JSON.stringify(redactCredentials(input))).toBe(
      '{"__proto__":{"token":"[redacted]"},"a":1}',
    );
    expect(findCredential(input)).toEqual({ path: '__proto__.token' });
  });

  it('cleans arguments that are JSON, and those that are not', () => {
    expect(redactText('{"input":{"api_key":"s3cr3t"}}')).toBe('{"input":{"api_key":"[redacted]"}}');
    expect(redactText('{"input":{"api_key":"s3cr3t"')).toBe('{"input":{"api_key":"[redacted]"');
    expect(redactText('{"input":{"api_key":"s3cr')).not.toContain('s3cr');
    expect(redactText(`Authorization: Bearer ${JWT}`)).toBe(REDACTED);
    expect(redactText('plain  text\n{"a": 1}')).toBe('plain  text\n{"a": 1}');
  });
});
