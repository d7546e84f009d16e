import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../common/json.js';
import { incompatibilities } from './compatibility.js';
import type { CapabilityContract, ContractSnapshot } from './contract.js';

const INPUT: JsonObject = {
  type: 'object',
  required: ['mode'],
  properties: {
    mode: { type: 'string', enum: ['day', 'range'] },
    limit: { type: 'integer', minimum: 1, maximum: 200 },
    tags: { type: 'array', items: { type: 'string', maxLength: 10 } },
  },
};
const OUTPUT: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, status: { type: 'string', enum: ['a', 'b'] } },
};

function snapshot(change: Partial<CapabilityContract> = {}): ContractSnapshot {
  const read: CapabilityContract = {
    version: 1,
    description: 'Reads.',
    effect: 'read',
    risk: 'low',
    requiresApproval: false,
    inputSchema: INPUT,
    outputSchema: OUTPUT,
    ...change,
  };
  return {
    tool: 'project_cli',
    recordKeys: ['a'],
    metadataKeys: ['b'],
    capabilities: { 'x.read': read },
  };
}

const withInput = (properties: JsonObject, required = ['mode']) =>
  snapshot({
    inputSchema: {
      ...INPUT,
      required,
      properties: { ...(INPUT.properties as JsonObject), ...properties },
    },
  });
const withOutput = (properties: JsonObject, required = ['id']) =>
  snapshot({
    outputSchema: {
      ...OUTPUT,
      required,
      properties: { ...(OUTPUT.properties as JsonObject), ...properties },
    },
  });

describe('incompatibilities', () => {
  it.each([
    ['nothing', snapshot()],
    ['another description', snapshot({ description: 'Reads well.' })],
    ['an optional input', withInput({ query: { type: 'string' } })],
    [
      'a wider enum in the input',
      withInput({ mode: { type: 'string', enum: ['day', 'range', 'week'] } }),
    ],
    ['a wider limit', withInput({ limit: { type: 'integer', minimum: 0, maximum: 500 } })],
    ['another output', withOutput({ extra: { type: 'string' } })],
    ['a narrower enum in the output', withOutput({ status: { type: 'string', enum: ['a'] } })],
  ])('lets through %s', (_name, after) => {
    expect(incompatibilities(snapshot(), after)).toEqual([]);
  });

  it.each([
    ['a capability that is gone', { ...snapshot(), capabilities: {} }],
    ['a record key that is gone', { ...snapshot(), recordKeys: [] }],
    ['a metadata key that is gone', { ...snapshot(), metadataKeys: [] }],
    ['a newly required input', withInput({ query: { type: 'string' } }, ['mode', 'query'])],
    ['another type', withInput({ limit: { type: 'string' } })],
    ['a narrower enum in the input', withInput({ mode: { type: 'string', enum: ['day'] } })],
    [
      'a new enum in the input',
      withInput({ tags: { type: 'array', items: { type: 'string', enum: ['x'] } } }),
    ],
    ['a narrower limit', withInput({ limit: { type: 'integer', minimum: 1, maximum: 50 } })],
    [
      'a new limit inside a list',
      withInput({ tags: { type: 'array', items: { type: 'string', maxLength: 5 } } }),
    ],
    [
      'a wider enum in the output',
      withOutput({ status: { type: 'string', enum: ['a', 'b', 'c'] } }),
    ],
    ['an output that may be absent', withOutput({}, [])],
    ['a method that writes now', snapshot({ effect: 'write' })],
    ['a method that needs approval now', snapshot({ requiresApproval: true })],
  ])('finds %s', (_name, after) => {
    expect(incompatibilities(snapshot(), after)).toHaveLength(1);
  });

  it('lets a new version change as it likes, and none go back', () => {
    const changed = withInput({ limit: { type: 'string' } });
    const capability = changed.capabilities['x.read'];
    if (capability) capability.version = 2;
    expect(incompatibilities(snapshot(), changed)).toEqual([]);
    expect(incompatibilities(snapshot({ version: 2 }), snapshot())).toHaveLength(1);
  });
});
