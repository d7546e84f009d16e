import { describe, expect, it } from '@jest/globals';
import { PDF, PNG } from '../../../../test/support/files.js';
import { attachmentParts } from '../../attachments/attachment-part.js';
import { attachmentNote } from './attachment-note.js';

const parts = (name: string, mediaType: string, body: Buffer) =>
  attachmentParts({ id: 'att_1', name, mediaType, bytes: body.length }, body, ['text', 'image']);
const note = (...sent: ReturnType<typeof parts>[]) =>
  attachmentNote([{ role: 'user', content: 'look', parts: sent.flat() }], 'en');

describe('attachmentNote', () => {
  it('says that pictures and PDF files cannot be looked into', () => {
    expect(note(parts('a.png', 'image/png', PNG))).toMatch(/^I cannot look into pictures/);
    expect(note(parts('a.pdf', 'application/pdf', PDF))).toMatch(/^I cannot look into pictures/);
  });

  it('repeats how a text begins, also when that has fences', () => {
    const said = note(parts('a.md', 'text/markdown', Buffer.from('```\ncode\n```')));
    expect(said).toBe('Of the file I can only repeat how it begins:\n```\ncode\n```\n\n');
    const long = note(parts('a.txt', 'text/plain', Buffer.from('长'.repeat(20_000))));
    expect(long).toContain(`${'长'.repeat(300)}…`);
  });

  it('says nothing where there is nothing, and of earlier messages', () => {
    expect(attachmentNote([{ role: 'user', content: 'look' }], 'en')).toBe('');
    const earlier = {
      role: 'user' as const,
      content: 'a',
      parts: parts('a.png', 'image/png', PNG),
    };
    expect(attachmentNote([earlier, { role: 'user', content: 'b' }], 'zh-CN')).toBe('');
  });
});
