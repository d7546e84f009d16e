import { describe, expect, it } from '@jest/globals';
import { remoteTarget, type RemotePlaces } from './remote-target.js';

const INTERNET: RemotePlaces = { internet: true, origins: [] };
const LISTED: RemotePlaces = {
  internet: false,
  origins: ['http://127.0.0.1:8080', 'https://calendar.corp.internal'],
};

const HOSTILE = [
  // Other protocols, and none.
  'http://calendar.example.com/a.ics',
  'ftp://calendar.example.com/a.ics',
  'file:///etc/passwd',
  'data:text/calendar,BEGIN:VCALENDAR',
  'gopher://calendar.example.com/',
  'javascript:alert(1)',
  'calendar.example.com/a.ics',
  '//calendar.example.com/a.ics',
  '/a.ics',
  '',
  'https:calendar.example.com/a.ics',
  'https:/calendar.example.com/a.ics',
  'https:///calendar.example.com/a.ics',
  'https://',
  'https://?calendar.example.com',
  // Credentials, and hosts that hide behind them.
  'https://user@calendar.example.com/',
  'https://user:password@calendar.example.com/',
  'https://calendar.example.com@127.0.0.1/',
  'https://calendar.example.com%40127.0.0.1/',
  'https://calendar.example.com\\@127.0.0.1/',
  'https:\\\\127.0.0.1\\a.ics',
  // Loopback and friends, as they are.
  'https://localhost/',
  'https://LOCALHOST/',
  'https://a.localhost/',
  'https://127.0.0.1/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://168.63.129.16/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  // The same in other numbers.
  'https://2130706433/',
  'https://0x7f000001/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0x7f.0.0.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://127.0.0.1./',
  'https://127.0.0.01/',
  'https://１２７.０.０.１/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https://0/',
  // A public address may not be disguised either.
  'https://134744072/',
  'https://8.8.8.8./',
  'https://0x8.8.8.8/',
  // IPv6.
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[2001:db8::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[fe80::1%25eth0]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://::1/',
  // Names that mean nothing outside.
  'https://intranet/',
  'https://intranet./',
  'https://calendar.example.com./',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://router.home.arpa/',
  'https://abc.onion/',
  'https://ｌｏｃａｌｈｏｓｔ/',
  // Ports.
  'https://calendar.example.com:80/',
  'https://calendar.example.com:8443/',
  'https://calendar.example.com:22/',
  'https://calendar.example.com:99999/',
  // Characters that parsers disagree about.
  'https://calendar.example.com/\r\nHost: localhost',
  'https://calendar.example.com/\u0000',
  'https://calendar.exam\tple.com/',
  'https://calendar.example.com /',
  ' https://calendar.example.com/',
  `https://calendar.example.com/${'a'.repeat(2000)}`,
];

describe('an address to read a file from', () => {
  it.each(HOSTILE)('is not %j', (address) => {
    expect(remoteTarget(address, INTERNET)).toBeNull();
  });

  it.each([
    ['https://calendar.example.com/a.ics', 'https://calendar.example.com/a.ics'],
    ['HTTPS://Calendar.Example.com/a.ics', 'https://calendar.example.com/a.ics'],
    ['webcal://calendar.example.com/a.ics?x=1#top', 'https://calendar.example.com/a.ics?x=1'],
    ['webcals://calendar.example.com', 'https://calendar.example.com/'],
    ['https://calendar.example.com:443/', 'https://calendar.example.com/'],
    ['https://日历.example.com/节日.ics', 'https://xn--jmr704b.example.com/%E8%8A%82%E6%97%A5.ics'],
    ['https://calendar.example.com/@user/a%40b', 'https://calendar.example.com/@user/a%40b'],
    ['https://8.8.8.8/a.ics', 'https://8.8.8.8/a.ics'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  ])('is %j, which means %j', (address, meant) => {
    expect(remoteTarget(address, INTERNET)?.url.href).toBe(meant);
  });

  it('is a listed origin, and that alone, where the Internet is not to be read', () => {
    const may = (address: string) => remoteTarget(address, LISTED)?.listed ?? false;
    expect(may('http://127.0.0.1:8080/a.ics')).toBe(true);
    expect(may('webcal://calendar.corp.internal/a.ics')).toBe(true);
    for (const address of [
      'http://127.0.0.1:8081/',
      'http://127.0.0.1/',
      'https://127.0.0.1:8080/',
      'http://127.1:8080/',
      'http://2130706433:8080/',
      'http://user@127.0.0.1:8080/',
      'http://calendar.corp.internal/',
      'https://calendar.corp.internal./',
      'https://a.calendar.corp.internal/',
      'https://calendar.example.com/',
    ]) {
      expect([address, may(address)]).toEqual([address, false]);
    }
  });

  describe('that another one redirects to', () => {
    const from = new URL('https://calendar.example.com/public/a.ics');
    const at = (location: string) => remoteTarget(location, INTERNET, from)?.url.href ?? null;

    it.each([
      ['b.ics', 'https://calendar.example.com/public/b.ics'],
      ['/b.ics#x', 'https://calendar.example.com/b.ics'],
      ['?x', 'https://calendar.example.com/public/a.ics?x'],
      ['//other.example.com/b.ics', 'https://other.example.com/b.ics'],
      ['webcal://other.example.com/b.ics', 'https://other.example.com/b.ics'],
    ])('is found from %j', (location, meant) => {
      expect(at(location)).toBe(meant);
    });

    it.each([
      '//127.0.0.1/',
      '//2130706433/',
      '///127.0.0.1/',
      '/\\127.0.0.1/',
      '\\\\127.0.0.1\\',
      '\t//127.0.0.1/',
      '//user@other.example.com/',
      'http://calendar.example.com/',
      'https:127.0.0.1',
      'https://[::1]/',
      'file:///etc/passwd',
    ])('is not %j', (location) => {
      expect(at(location)).toBeNull();
    });
  });
});
