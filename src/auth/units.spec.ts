import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { addressKey } from './client-address.js';
import { normalizeEmail } from './email.js';
import { toIanaZone } from './iana-zone.js';
import { DEFAULT_HASH_COST, PasswordHasher } from './password-hasher.js';

describe('normalizeEmail', () => {
  it('folds spelling and is stable', () => {
    expect(normalizeEmail('  Amy@Example.COM ')).toBe('amy@example.com');
    expect(normalizeEmail('jose\u0301@x.org')).toBe('jos\u00e9@x.org');
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        expect(normalizeEmail(normalizeEmail(email))).toBe(normalizeEmail(email));
        expect(normalizeEmail(email.toUpperCase())).toBe(normalizeEmail(email));
      }),
    );
  });
});

describe('toIanaZone', () => {
  it.each([
    ['Asia/Shanghai', 'Asia/Shanghai'],
    ['asia/shanghai', 'Asia/Shanghai'],
    [' UTC ', 'UTC'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Etc/GMT+8', 'Etc/GMT+8'],
    ['+08:00', null],
    ['Mars/Phobos', null],
    ['', null],
    ['Asia/Shanghai\0', null],
    ['A'.repeat(100_000), null],
  ])('%j is %j', (name, zone) => expect(toIanaZone(name)).toBe(zone));

  it('gives back what Intl takes', () => {
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      expect(toIanaZone(zone.toUpperCase())).toBe(zone);
    }
  });
});

describe('addressKey', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    [undefined, 'unknown'],
  ])('%s is counted as %s', (address, key) => expect(addressKey(address)).toBe(key));

  it('counts every address of an IPv6 network together', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        fc.pre(!address.includes('.'));
        expect(addressKey(address)).toMatch(/^([0-9a-f]{1,4}:){4}:\/64$/);
      }),
    );
  });
});

describe('PasswordHasher', () => {
  const hasher = new PasswordHasher(DEFAULT_HASH_COST);

  it('verifies its own hashes, salted, whatever the Unicode form', async () => {
    const [one, two] = await Promise.all([hasher.hash('cafe\u0301 au lait'), hasher.hash('x')]);
    expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    expect(one).not.toBe(two);
    expect(await hasher.verify('caf\u00e9 au lait', one)).toBe(true);
    expect(await hasher.verify('cafe au lait', one)).toBe(false);
    expect(await hasher.verify('anything', undefined)).toBe(false);
  });

  // Defence: src/auth/password-hasher.ts: nobody
  it('does the work of a sign-in for accounts that are not there, and waits its turn like others', async () => {
    const cheap = new PasswordHasher({ ...DEFAULT_HASH_COST, ln: 4 });
    const attempts = Array.from({ length: 80 }, () => cheap.verify('x', undefined));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
    expect(outcomes).not.toContainEqual({ status: 'fulfilled', value: true });
  });

  it('verifies hashes of another cost', async () => {
    // scrypt test vector of RFC 7914 §12: N=1024, r=8, p=16, password "password", salt "NaCl".
    const key = Buffer.from(
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162' +
        '2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
      'hex',
    );
    const salt = Buffer.from('NaCl').toString('base64');
    const stored = `$scrypt$ln=10,r=8,p=16$${salt}$${key.toString('base64')}`;
    expect(await hasher.verify('password', stored)).toBe(true);
    expect(await hasher.verify('passwore', stored)).toBe(false);
  });

  it('refuses rather than piling up work, and recovers', async () => {
    const cheap = `$scrypt$ln=4,r=8,p=1$TmFDbA==$TmFDbA==`;
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, () => hasher.verify('password', cheap)),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(100 - 2 - 64);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'RATE_LIMITED' });
    expect(await hasher.verify('password', cheap)).toBe(false);
  });
});
