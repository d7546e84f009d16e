import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { GIF, PDF, PNG } from '../../../test/support/files.js';
import { cleanName } from './attachment-name.js';
import { mediaTypeOf } from './attachment-type.js';

describe('cleanName', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\amy\\报告.docx', '报告.docx'],
    ['a\0b\r\nc.txt', 'abc.txt'],
    ['\u202egnp.exe', 'gnp.exe'],
    [' two  \t words .md ', 'two words .md'],
    ['..', 'file'],
    ['', 'file'],
    ['dir/', 'file'],
  ])('makes %j into %j', (given, clean) => {
    expect(cleanName(given)).toBe(clean);
  });

  it('gives a safe name of at most 255 bytes for any text, and leaves that as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
        const name = cleanName(given);
        expect(name).not.toMatch(/[/\\\p{Cc}\p{Cf}\p{Cs}]/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name).not.toBe('');
        expect(cleanName(name)).toBe(name);
      }),
    );
    expect(cleanName(`${'长'.repeat(300)}.pdf`)).toMatch(/^长{83}\.pdf$/);
  });
});

describe('mediaTypeOf', () => {
  const types = [
    'image/png',
    'image/gif',
    'application/pdf',
    'text/plain',
    'text/markdown',
    'text/csv',
    'application/json',
  ];

  it.each<[string, Buffer | string, string]>([
    ['picture.txt', PNG, 'image/png'],
    ['picture.gif', GIF, 'image/gif'],
    ['x', PDF, 'application/pdf'],
    ['notes.txt', '你好\n', 'text/plain'],
    ['notes.md', '# Title <b>', 'text/markdown'],
    ['table.csv', 'a,b\n1,2\n', 'text/csv'],
    ['data.json', '{"a":1}', 'application/json'],
    ['data.json', '{"a":', 'text/plain'],
    ['picture.png', 'no picture', 'text/plain'],
    ['bm.txt', 'BM begins this text', 'text/plain'],
  ])('finds the type of %s in its content', async (name, content, type) => {
    expect(await mediaTypeOf(Buffer.from(content), name, types)).toBe(type);
  });

  it.each<[string, Buffer | string]>([
    ['nothing', ''],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['an SVG with a head', '\uFEFF <!-- x -->\n<?xml version="1.0"?><svg/>'],
    ['a page', '\n<!DOCTYPE html><html></html>'],
    ['a script', '<script>alert(1)</script>'],
    ['a text with NUL', 'a\0b'],
    ['bytes that are no UTF-8', Buffer.from([0xc3, 0x28, 0x41])],
    ['a program', Buffer.from('7f454c4602010100000000000000000002003e00', 'hex')],
    ['an archive', Buffer.from('504b0304140000000000', 'hex')],
  ])('refuses %s', async (_what, content) => {
    await expect(mediaTypeOf(Buffer.from(content), 'x.txt', types)).rejects.toMatchObject({
      code: 'INVALID_ACTION_INPUT',
      details: { issues: [{ path: 'file' }] },
    });
  });

  it('refuses what the deployment does not take', async () => {
    await expect(mediaTypeOf(PNG, 'x.png', ['text/plain'])).rejects.toMatchObject({
      code: 'INVALID_ACTION_INPUT',
    });
  });
});
