import { describe, expect, it } from '@jest/globals';
import { findCredential, redactCredentials, redactText } from './credential-scan.js';

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const HEX = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** What people write, in two languages, with every word that could look like a credential. */
const HONEST: object[] = [
  { title: 'Token review' },
  { title: 'token 评审会' },
  { title: '密码学课程' },
  { title: '密码重置流程讨论' },
  { title: 'Bearer of news' },
  { title: 'The bearer, 26 Bearer Street' },
  { title: 'Bearer bonds, 2026 maturity' },
  { notes: 'Please bring the authorization form, signed twice.' },
  { notes: 'Authorization: see the basic rules of the house' },
  { notes: '授权书需要盖章' },
  { notes: '令牌环网络 (token ring) 复习' },
  { notes: 'Ask at the desk for the access key of room 4.12' },
  { notes: '门禁钥匙在前台' },
  { notes: 'API key rotation: who does it, and when?' },
  { notes: 'Passwords are changed every 90 days' },
  { notes: 'password: ask Amy' },
  { notes: 'My new book: "The Secret Key" by S. Hawking' },
  { notes: 'cookie recipe: 200 g sugar, 2 eggs' },
  { title: 'Cookie baking with the kids' },
  { title: 'JWT workshop: header.payload.signature' },
  { title: 'OAuth 2.0 和 OpenID Connect 培训' },
  { notes: 'RFC 6750 describes bearer tokens' },
  { notes: 'https://example.com/map?key=office&floor=2' },
  { notes: 'https://example.com/search?q=token&page=3' },
  { notes: 'https://example.com:8443/path/with@sign' },
  { notes: 'mailto:amy@example.com, http://example.com/~amy' },
  { notes: 'https://zoom.example/j/81234567890?pwd=meeting' },
  { notes: 'Call +49 30 1234567, PIN 4711#' },
  { notes: '会议号 812 3456 7890，密码 123456' },
  { id: 'evt_01JE4Z8K3V0W7R5T9Q2M6N8P1X' },
  { id: '550e8400-e29b-41d4-a716-446655440000' },
  { ids: ['usr_01JE4Z8K3V0W7R5T9Q2M6N8P1X', 'call_0'] },
  { checksum: HEX },
  { notes: `sha256 ${HEX}` },
  { notes: 'commit 3f2504e0 of branch sk-learn-upgrade' },
  { notes: 'sk-2026-planning-meeting-notes-final-version' },
  { title: 'SK-Telecom visit' },
  { title: 'task-1234-Review-the-Quarterly-Report' },
  { title: 'Risk-2026-Assessment-Of-The-Whole-Plant' },
  { notes: 'AKIA is a kind of akita' },
  { title: 'ASIA PACIFIC REGIONAL SALES MEETING' },
  { notes: 'ghp means gigahertz-per-pixel here' },
  { notes: 'npm_config_registry and npm_lifecycle_event are variables' },
  { notes: 'xox xox, love from grandma' },
  { notes: 'pk_test is the name of our table' },
  { avatar: PNG },
  { notes: Buffer.from('a picture of the team at the lake in 2026').toString('base64') },
  { owner: 'usr_1', page_token: 'abc', tokens: 3 },
  { next_page_token: 'CAEQAA', sync_token: 'x', token_count: 12 },
  { secretary: 'Amy', keyword: 'lake', keys: ['a'], author: 'Li' },
  { passport: 'E12345678', passenger: 'Li', password_hint_needed: false },
  { cursor: 'eyJpZCI6ImV2dF8xIn0' },
  { notes: 'eyJ is how base64 of {" begins' },
  { notes: 'v1.2.3, www.example.com, a.b.c.d.e' },
  { notes: 'eyJhIjoxfQ.eyJiIjoyfQ.c' },
  { notes: '{not json} [draft]' },
  { notes: JSON.stringify({ title: 'token review', tokens: 3 }) },
  { rrule: 'FREQ=WEEKLY;BYDAY=MO', timezone: 'Asia/Shanghai' },
  { emails: ['token@example.com', 'authorization@example.org'] },
  { groups: ['bearer', 'token', 'password'] },
  { key: 'favourite.token', text: '喜欢的令牌颜色是蓝色' },
  { key: 'access_key_location', text: 'left drawer' },
  { query: 'access_key' },
  { query: 'authorization bearer' },
  { notes: '-----BEGIN MINUTES----- public key ceremony -----END MINUTES-----' },
  { notes: 'ssh-ed25519 is the type of our host keys' },
];

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const JWT = `${b64({ alg: 'EdDSA' })}.${b64({ sub: 'usr_1' })}.c2lnbmF0dXJl`;
/** Made up, and split so that no scanner of repositories takes them for real ones. */
const join = (...parts: string[]) => parts.join('');
const A36 = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';

const REFUSED: object[] = [
  ...[
    'token access_token accessToken ACCESS-TOKEN refresh_token id.token authToken X-Auth-Token',
    'authorization Proxy-Authorization bearer jwt api_key X-API-Key apiKey access_key accessKeyId',
    'secret_key secretAccessKey AWS_SECRET_ACCESS_KEY client_secret private_key password passwd pwd',
    'passphrase owner_id ownerId Owner-Id credential credentials cookie Set-Cookie csrf_token',
    'oauth_token github_token x-amz-security-token session_token PROJECT_CLI_CREDENTIAL ｔｏｋｅｎ',
  ]
    .join(' ')
    .split(' ')
    .map((key) => ({ deep: [{ [key]: 'x' }] })),
  { notes: 'Bearer abc123' },
  { notes: 'Authorization: Bearer abcdef' },
  { notes: 'authorization: basic YW15OnNlY3JldA==' },
  { notes: 'curl -H "Authorization: Token abcdef123456"' },
  { notes: `see Bearer ${HEX}` },
  { notes: JWT },
  { notes: `请用 ${JWT}，谢谢` },
  { notes: `https://example.com/x?auth=${JWT}` },
  { notes: join('sk-', 'proj-Ab12Cd34Ef56Gh78Ij90') },
  { notes: join('key is sk-', 'ant-api03-Ab12Cd34Ef56Gh78') },
  { notes: join('ghp', '_', A36) },
  { notes: join('github', '_pat_11ABCDEFG0abcdefghijklmnop') },
  { notes: join('glpat', '-Ab12Cd34Ef56Gh78Ij90') },
  { notes: join('AKIA', 'IOSFODNN7EXAMPLE') },
  { notes: join('xoxb', '-123456789012-abcdefGHIJ') },
  { notes: join('AIza', 'SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q') },
  { notes: join('sk', '_live_4eC39HqLyjWDarjtT1zdp7dc') },
  { notes: join('npm', '_', A36) },
  { notes: join('hf', '_', A36) },
  { notes: join('-----BEGIN ', 'PRIVATE KEY-----\nMC4CAQ') },
  { notes: join('-----BEGIN ', 'OPENSSH PRIVATE KEY-----\nb3BlbnNz') },
  { notes: 'https://amy:s3cret@example.com/dav' },
  { notes: 'https://example.com/cb?access_token=abcdef123456' },
  { notes: JSON.stringify({ inner: JSON.stringify({ api_key: 'x' }) }) },
  { list: [[[[JSON.stringify([`x ${JWT}`])]]]] },
];

describe('CREDENTIAL_IN_INPUT', () => {
  it('has cases enough to mean something', () => {
    expect(HONEST.length).toBeGreaterThanOrEqual(60);
    expect(REFUSED.length).toBeGreaterThanOrEqual(40);
  });

  it.each(HONEST)('lets pass %j', (input) => {
    expect(findCredential(input)).toBeNull();
    expect(redactCredentials(input)).toEqual(input);
  });

  it.each(REFUSED)('refuses %j', (input) => {
    expect(findCredential(input)).not.toBeNull();
    expect(findCredential(redactText(JSON.stringify(redactCredentials(input))))?.path).not.toBe('');
  });

  it('leaves nothing of a key in a text, and the text around it', () => {
    const key = join('ghp', '_', A36);
    expect(redactText(`use ${key} please`)).toBe('use [redacted] please');
    expect(redactText('GET https://amy:s3cret@example.com/dav')).not.toContain('s3cret');
  });

  it('does bounded work on texts that look like beginnings', () => {
    const starts = [
      'sk-',
      'ghp_',
      'https://a:',
      'authorization: ',
      'xoxb-',
      '-----BEGIN ',
      '&id_token=',
    ];
    for (const start of starts) expect(findCredential([start.repeat(200_000)])).toBeDefined();
  });
});
