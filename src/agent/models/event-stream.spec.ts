import { describe, expect, it } from '@jest/globals';
import { EventStream } from './event-stream.js';

function read(pieces: Iterable<string>, maxCharacters = 1_000) {
  const stream = new EventStream('[DONE]', maxCharacters);
  const events = [...pieces].flatMap((piece) => [...stream.push(piece)]);
  return { events: [...events, ...stream.flush()], isTooLarge: stream.isTooLarge };
}
const of = (...data: string[]) => data.map((value) => ({ name: '', data: value }));

describe('EventStream', () => {
  it.each<[string, string, object[]]>([
    ['events', 'data: a\n\ndata:b\n\n', of('a', 'b')],
    ['the ends of lines', 'data: a\r\n\r\ndata: b\r\rdata: c\n\n', of('a', 'b', 'c')],
    ['data in lines', 'data: a\ndata:  b\ndata\n\n', of('a\n b\n')],
    [
      'names',
      'event: ping\nid: 1\ndata: {}\n\ndata: a\n\n',
      [{ name: 'ping', data: '{}' }, ...of('a')],
    ],
    [
      'keep-alives',
      ': hi\n\n:\n\nevent: ping\n\nretry: 5\n\nid: 5\n\ndata:\n\ndata: \n\ndata: a\n\n',
      of('a'),
    ],
    ['what is no field', '<html>\nx: y\n\n{"data": 1}\n\n', []],
    ['a last event without its end', 'data: a\n\ndata: b', of('a', 'b')],
    ['the mark', 'data: a\ndata: [DONE]\ndata: b', of('a', '[DONE]', 'b')],
    ['the mark in a text', 'data: "[DONE]"\n\n', of('"[DONE]"')],
    ['nothing', '', []],
  ])('reads %s, wherever they are cut', (_what, text, expected) => {
    for (let at = 0; at <= text.length; at += 1) {
      expect(read([text.slice(0, at), text.slice(at)]).events).toEqual(expected);
    }
    expect(read(text).events).toEqual(expected);
  });

  it('holds no event that is larger than it may be, and goes on with none', () => {
    const line = `data: ${'x'.repeat(60)}\n`;
    const small = { events: of('x'.repeat(60), 'b'), isTooLarge: false };
    expect(read([line, '\n', 'data: b\n\n'], 80)).toEqual(small);
    for (const pieces of [[line, line, '\n', 'data: b\n\n'], [`data: a\n\n${line.repeat(2)}`]]) {
      expect(read(pieces, 80)).toMatchObject({ isTooLarge: true });
      expect(read(pieces, 80).events.length).toBeLessThan(2);
    }
    // Any number of them, one after another, is none that is too large.
    expect(read(`${line}\n`.repeat(100), 80).events).toHaveLength(100);
  });

  it('looks at no character twice, however small the pieces', () => {
    // Whoever looked through what is held with each of them would be at it for an hour.
    const stream = new EventStream('[DONE]', 1_000_000);
    let events = 0;
    for (let at = 0; at < 500_000; at += 1) events += [...stream.push('x')].length;
    expect(events).toBe(0);
    expect([...stream.push('\n\ndata: a\n\n')]).toEqual(of('a'));
  });
});
