import { describe, expect, it } from '@jest/globals';
import type { ToolCallDelta } from './chat-chunk-reader.js';
import { ToolCallAssembler } from './tool-call-assembler.js';

const piece = (delta: Partial<ToolCallDelta>): ToolCallDelta => ({
  index: 0,
  id: '',
  name: '',
  arguments: '',
  ...delta,
});

function assemble(deltas: Partial<ToolCallDelta>[]) {
  const assembler = new ToolCallAssembler(['project_cli', 'project_clinic']);
  for (const delta of deltas) assembler.add(piece(delta));
  return assembler.calls().map(({ name, arguments: args }) => `${name}(${args})`);
}
const named = (...names: string[]) => names.map((name) => ({ name }));

describe('ToolCallAssembler', () => {
  it.each<[string, Partial<ToolCallDelta>[], string[]]>([
    ['in pieces', named('project', '', '_cli'), ['project_cli()']],
    ['as far as it has come', named('pro', 'project', 'project_cli'), ['project_cli()']],
    ['whole each time', named('project_cli', 'project_cli'), ['project_cli()']],
    ['of another function', named('project_cli', 'nic'), ['project_clinic()']],
    ['of no function', named('calendar', '_write'), ['calendar()']],
    [
      'in pieces without an index',
      [
        { index: null, name: 'project' },
        { index: null, name: '_cli' },
        { index: null, arguments: '{}' },
        { index: null, name: 'project_cli', arguments: '{}' },
      ],
      ['project_cli({})', 'project_cli({})'],
    ],
  ])('takes a name that comes %s', (_how, deltas, expected) => {
    expect(assemble(deltas)).toEqual(expected);
  });

  it('tells calls apart of which one’s name begins with the other’s, without index and id', () => {
    const assembler = new ToolCallAssembler(['get', 'get_all']);
    for (const name of ['get', 'get_all']) {
      assembler.add(piece({ index: null, name, arguments: '{"a":1}' }));
    }
    expect(assembler.calls().map(({ name, arguments: args }) => [name, args])).toEqual([
      ['get', '{"a":1}'],
      ['get_all', '{"a":1}'],
    ]);
  });

  it('takes what names and says nothing for no call', () => {
    expect(assemble([{ id: 'a' }, { index: 1, name: 'f' }, { index: 2, arguments: '{}' }])).toEqual(
      ['f()', '({})'],
    );
  });

  it.each<[string, (place: number) => Partial<ToolCallDelta>]>([
    ['an index', (index) => ({ index })],
    ['an id', (place) => ({ index: null, id: String(place) })],
    ['neither', () => ({ index: null })],
  ])('ends with the first call too many, each with %s', (_what, delta) => {
    let added = 0;
    expect(() => {
      const assembler = new ToolCallAssembler([]);
      for (; added < 200_000; added += 1) assembler.add(piece({ name: 'f', ...delta(added) }));
    }).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
    expect(added).toBe(64);
  });

  it.each(['id', 'name', 'arguments'] as const)('bounds what a call has as its %s', (member) => {
    const long = 'x'.repeat(1024);
    const most = Array.from({ length: 1024 }, () => ({ [member]: long }));
    expect(() => assemble(most)).not.toThrow();
    expect(() => assemble([...most, { [member]: 'x' }])).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED' }),
    );
  });
});
