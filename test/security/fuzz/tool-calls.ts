import fc from 'fast-check';
import type { Capability } from './capability-list.js';
import { hostileText, hostileValue, knownId } from './hostile-values.js';
import { inputFor } from './schema-input.js';

/** A call as a door hands it to the gateway: an object, or text that a model wrote. */
export interface FuzzedCall {
  call: unknown;
  toolCallId?: string;
}

/** Names that are none, and some that are, in the wrong place. */
const nearName = (names: string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.constantFrom(...names).map((name) => `${name} `) },
    { weight: 1, arbitrary: fc.constantFrom(...names).map((name) => name.toUpperCase()) },
    { weight: 3, arbitrary: hostileText },
    { weight: 1, arbitrary: hostileValue },
  );

/** JSON text with something done to it that a parser may not like. */
const damaged = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    fc.tuple(text, fc.nat()).map(([whole, n]) => whole.slice(0, n % (whole.length + 1))),
    fc.tuple(text, hostileText).map(([whole, more]) => whole + more),
    fc.tuple(text, hostileText).map(([whole, more]) => more + whole),
    text.map((whole) => whole.replace('{', '{"module":"help","module":"calendar",')),
    text.map((whole) => whole.replace(/:\s*\d+/, ':1e400')),
    text.map((whole) => `\ufeff${whole}`),
    fc.constantFrom('[', '{"input":', '"').map((piece) => piece.repeat(20_000)),
  );

/** Calls of anything, most of them of methods that exist with an input near their schema. */
export function toolCalls(capabilities: Capability[]): fc.Arbitrary<FuzzedCall> {
  const near = fc.oneof(
    ...capabilities.map(({ module, method, inputSchema }) =>
      inputFor(inputSchema).map((input) => ({ module, method, input })),
    ),
  );
  const odd = fc.record(
    {
      module: nearName([...new Set(capabilities.map(({ module }) => module))]),
      method: nearName([...new Set(capabilities.map(({ method }) => method))]),
      input: hostileValue,
    },
    { requiredKeys: [] },
  );
  const textInput = near.map((call) => ({ ...call, input: JSON.stringify(call.input) }));
  const text = fc.oneof(near, odd).map((call) => JSON.stringify(call));
  const call = fc.oneof(
    { weight: 12, arbitrary: near },
    { weight: 3, arbitrary: odd },
    { weight: 2, arbitrary: textInput },
    { weight: 2, arbitrary: text },
    { weight: 2, arbitrary: damaged(text) },
    { weight: 1, arbitrary: hostileValue },
    { weight: 1, arbitrary: fc.tuple(odd, hostileText, hostileValue).map(withMember) },
  );
  const id = fc.oneof(hostileText, knownId);
  return fc.record({ call, toolCallId: id }, { requiredKeys: ['call'] });
}

function withMember([call, key, value]: [object, string, unknown]): unknown {
  return Object.fromEntries([...Object.entries(call), [key, value]]);
}
