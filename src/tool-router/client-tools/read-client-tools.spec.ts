import { describe, expect, it, jest } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject, JsonValue } from '../../common/json.js';
import type { InputIssue } from '../../common/steward-error.js';
import { repairInput } from '../input/repair.js';
import { ClientInputSchema } from './client-input-schema.js';
import { clientToolSet } from './client-tool-set.js';
import { MAX_CLIENT_TOOLS, MAX_CLIENT_TOOLS_BYTES } from './client-tool.js';
import { readClientTools } from './read-client-tools.js';

const read = (tools: JsonValue) => {
  const issues: InputIssue[] = [];
  return { tools: readClientTools(tools, 'tools', issues), issues };
};
const ofSchema = (parameters: JsonValue) => read([{ name: 'a', description: '', parameters }]);
const object = (properties: JsonObject, more: JsonObject = {}) => ({
  type: 'object',
  properties,
  ...more,
});
/** A schema in which each part names the next one twice: 2 to the power of its length. */
const bomb = (length: number) =>
  object(
    { x: { $ref: '#/$defs/d0' } },
    {
      $defs: Object.fromEntries(
        Array.from({ length }, (_, place) => {
          const next = { $ref: `#/$defs/d${place + 1}` };
          return [`d${place}`, place === length - 1 ? { type: 'string' } : { allOf: [next, next] }];
        }),
      ),
    },
  );
const deep = (levels: number): JsonObject =>
  levels === 0 ? { type: 'string' } : object({ x: deep(levels - 1) });

describe('the tools of a client', () => {
  it('are read as front ends of both versions send them', () => {
    const parameters = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object(
        {
          to: { type: 'string', format: 'email', pattern: '^[^@]+@[^@]+$' },
          kind: { enum: ['a', 'b'], default: 'a' },
          at: { $ref: '#/definitions/place' },
          list: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
        },
        {
          required: ['to'],
          additionalProperties: false,
          definitions: { place: object({ lat: { type: 'number' } }) },
        },
      ),
    };
    const { tools, issues } = read([
      { name: 'send-It_2', description: 'Sends it.', parameters, metadata: { any: 'thing' } },
      { name: 'nothing', description: '' },
      { name: 'nothing2', parameters: null },
    ]);
    expect(issues).toEqual([]);
    const { $schema: _dialect, ...kept } = parameters;
    expect(tools).toEqual([
      { name: 'send-It_2', description: 'Sends it.', parameters: kept },
      { name: 'nothing', description: '', parameters: object({}) },
      { name: 'nothing2', description: '', parameters: object({}) },
    ]);
    expect(read([]).tools).toEqual([]);
  });

  it.each<[string, JsonValue, string]>([
    ['no list', {}, 'tools'],
    ['no tool', ['x'], 'tools.0'],
    ['no name', [{ description: '' }], 'tools.0.name'],
    ['an empty name', [{ name: '' }], 'tools.0.name'],
    ['a long name', [{ name: 'x'.repeat(65) }], 'tools.0.name'],
    ['a name with a dot', [{ name: 'a.b' }], 'tools.0.name'],
    ['a name with a space', [{ name: 'a b' }], 'tools.0.name'],
    ['a name with a line break', [{ name: 'a\n' }], 'tools.0.name'],
    ['a word of prototypes', [{ name: '__proto__' }], 'tools.0.name'],
    ['another one', [{ name: 'constructor' }], 'tools.0.name'],
    ['a third', [{ name: 'toString' }], 'tools.0.name'],
    ['the name of the one tool', [{ name: 'project_cli' }], 'tools.0.name'],
    ['the same name twice', [{ name: 'a' }, { name: 'a' }], 'tools.1.name'],
    ['a description that is none', [{ name: 'a', description: 1 }], 'tools.0.description'],
    ['a long one', [{ name: 'a', description: 'x'.repeat(2_001) }], 'tools.0.description'],
    ['one with NUL', [{ name: 'a', description: 'x\0' }], 'tools.0.description'],
  ])('are refused with %s', (_what, tools, path) => {
    const { tools: none, issues } = read(tools);
    expect(issues.map((issue) => issue.path)).toEqual([path]);
    expect(none.length).toBeLessThan(2);
  });

  it('are refused when they are too many, or too much', () => {
    const many = Array.from({ length: MAX_CLIENT_TOOLS + 1 }, (_, place) => ({
      name: `t${place}`,
    }));
    expect(read(many).issues).toHaveLength(1);
    expect(read(many.slice(1)).issues).toEqual([]);
    const large = [
      { name: 'a', parameters: object({ x: { const: 'x'.repeat(MAX_CLIENT_TOOLS_BYTES) } }) },
    ];
    expect(read(large).issues[0]?.message).toContain('bytes');
  });

  it('are refused when their schemas are too many together, and are not compiled to be read', () => {
    const compile = jest.spyOn(Ajv2020.prototype, 'compile');
    const parts = { a: { properties: Object.fromEntries([...'12345678'].map((n) => [n, {}])) } };
    const members = Array.from({ length: 30 }, (_, n) => [`p${n}`, { $ref: '#/$defs/a' }]);
    const heavy = { ...object(Object.fromEntries(members)), $defs: parts };
    const tools = Array.from({ length: 60 }, (_, n) => ({ name: `u${n}`, parameters: heavy }));
    expect(read(tools).issues).toEqual([
      { path: 'tools', message: expect.stringContaining('more than 2000 schemas together') },
    ]);
    expect(read(tools.slice(0, 5)).issues).toEqual([]);
    expect(compile).not.toHaveBeenCalled();
    compile.mockRestore();
  });

  it('are compiled one by one, when they are called, and once', () => {
    const compile = jest.spyOn(Ajv2020.prototype, 'compile');
    const { tools } = read(
      ['p', 'q', 'r'].map((name) => ({ name, parameters: object({ [name]: { type: 'string' } }) })),
    );
    const capability = clientToolSet(tools).get('client.q');
    expect(compile).not.toHaveBeenCalled();
    expect(capability?.inputSchema.faults({ q: 1 })).toHaveLength(1);
    // Another run's list, with the same tool in it.
    const again = clientToolSet(tools.slice(1)).get('client.q');
    expect(again?.inputSchema.faults({ q: 'x' })).toEqual([]);
    expect(compile).toHaveBeenCalledTimes(1);
    compile.mockRestore();
  });

  it('carry no credential, but may have a field that is called so', () => {
    expect(ofSchema(object({ password: { type: 'string' } })).issues).toEqual([]);
    const secret = { examples: ['Bearer abcdefghijklmnop1234'] };
    expect(() => ofSchema(object({ x: secret }))).toThrow('credential');
  });
});

describe('the schema of a client’s tool', () => {
  it.each<[string, JsonValue, string]>([
    ['that is a text', 'x', ''],
    ['of no object', { type: 'string' }, '.type'],
    ['without a type', { properties: {} }, '.type'],
    [
      'with a reference to elsewhere',
      object({ x: { $ref: 'https://evil.test/x' } }),
      '.properties.x.$ref',
    ],
    ['with one to a file', object({ x: { $ref: 'file:///etc/passwd' } }), '.properties.x.$ref'],
    ['with one to the whole', object({ x: { $ref: '#' } }), '.properties.x.$ref'],
    ['with one to nothing', object({ x: { $ref: '#/$defs/y' } }), '.properties.x.$ref'],
    ['with one that is no text', object({ x: { $ref: 1 } }), '.properties.x.$ref'],
    [
      'that leads to itself',
      object({ x: { $ref: '#/$defs/y' } }, { $defs: { y: object({ z: { $ref: '#/$defs/y' } }) } }),
      '.properties.x.$ref.properties.z.$ref',
    ],
    ['with a dynamic reference', object({ x: { $dynamicRef: '#a' } }), '.properties.x.$dynamicRef'],
    ['with an id', object({}, { $id: 'https://evil.test/' }), '.$id'],
    ['with an anchor', object({ x: { $anchor: 'a' } }), '.properties.x.$anchor'],
    ['that is asynchronous', object({}, { $async: true }), '.$async'],
    [
      'with patterns of names',
      object({}, { patternProperties: { '(a+)+$': {} } }),
      '.patternProperties',
    ],
    ['with a pattern that is none', object({ x: { pattern: '(' } }), '.properties.x.pattern'],
    [
      'with an endless pattern',
      object({ x: { pattern: 'a'.repeat(1_001) } }),
      '.properties.x.pattern',
    ],
    ['with a format that is no name', object({ x: { format: {} } }), '.properties.x.format'],
    ['with a schema that is none', object({ x: 'string' }), '.properties.x'],
    ['with parts that are no list', object({ x: { anyOf: {} } }), '.properties.x.anyOf'],
    ['with an inner dialect', object({ x: { $schema: 'x' } }), '.properties.x.$schema'],
    ['with a type that is none', object({ x: { type: 'text' } }), '.properties.x.type'],
    ['that nothing fits', object({ x: { enum: [] } }), '.properties.x.enum'],
    [
      'of an older draft',
      object({ x: { type: 'number', exclusiveMinimum: true, minimum: 1 } }),
      '.properties.x.exclusiveMinimum',
    ],
  ])('is refused: one %s', (_what, schema, path) => {
    const { tools, issues } = ofSchema(schema);
    expect(tools).toEqual([]);
    expect(issues.map((issue) => issue.path)).toEqual([`tools.0.parameters${path}`]);
  });

  it('is refused when it is too deep or too large, with its references followed', () => {
    expect(ofSchema(deep(14)).issues).toEqual([]);
    expect(ofSchema(deep(17)).issues).toHaveLength(1);
    expect(ofSchema(deep(40)).issues).toHaveLength(1);
    const wide = object(Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`k${n}`, true])));
    expect(ofSchema(wide).issues).toHaveLength(1);
    const names = Array.from({ length: 501 }, (_, n) => `k${n}`);
    for (const needs of [{ required: names }, { dependentRequired: { a: names } }]) {
      expect(ofSchema(object({ x: { type: 'array', items: needs } })).issues).toHaveLength(1);
    }
    expect(ofSchema(object({ x: { const: Array(5_000).fill(1) } })).issues).toHaveLength(1);
    expect(ofSchema(bomb(6)).issues).toEqual([]);
    expect(ofSchema(bomb(12)).issues).toHaveLength(1);
  });

  it('is refused with keys that reach a prototype', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}}}',
    ) as JsonObject;
    expect(ofSchema(schema).issues).toHaveLength(1);
    expect(Object.hasOwn(Object.prototype, 'type')).toBe(false);
  });

  it('checks inputs without what may take for ever, which is the client’s to check', () => {
    const schema = new ClientInputSchema(
      object({
        x: { type: 'string', pattern: '^(a+)+$' },
        y: { type: 'array', uniqueItems: true },
      }),
    );
    expect(schema.faults({ x: `${'a'.repeat(50_000)}!`, y: [1, 1] })).toEqual([]);
    expect(schema.faults({ x: 1 })).toMatchObject([{ keyword: 'type' }]);
  });

  it('names no more faults than it can bear', () => {
    const required = Array.from({ length: 400 }, (_, n) => `k${n}`);
    const schema = new ClientInputSchema(object({ x: { type: 'array', items: { required } } }));
    const faultsOf = (items: number) =>
      schema.faults({ x: Array.from({ length: items }, () => ({})) });
    expect(faultsOf(200)).toHaveLength(80_000);
    expect(faultsOf(2_000)).toMatchObject([{ keyword: 'size' }]);
  });

  it('looks at as much input as it can bear, and says so', () => {
    const many = Array.from({ length: 100 }, (_, n) => ({ const: n }));
    const schema = new ClientInputSchema(
      object({ list: { type: 'array', items: { anyOf: many } } }, { required: ['list'] }),
    );
    expect(schema.faults({ list: [1, 2, 99] })).toEqual([]);
    const { repairs } = repairInput(schema, { list: Array.from({ length: 50_000 }, () => 'x') });
    expect(repairs).toEqual([]);
    expect(schema.faults({ list: Array.from({ length: 50_000 }, () => 'x') })).toMatchObject([
      { keyword: 'size', message: expect.stringContaining('too many for this tool') },
    ]);
  });
});
