import type { JsonObject } from '../common/json.js';
import type { Interrupt } from './interrupt.js';

/** AG-UI's `Interrupt` (protocol 1.0), with the call in its metadata. */
export interface AguiInterrupt {
  id: string;
  reason: 'tool_call' | 'input_required';
  message: string;
  toolCallId: string;
  /** JSON Schema (draft 2020-12) of the payload that resolves it. */
  responseSchema: JsonObject;
  /** ISO 8601, UTC. */
  expiresAt: string;
  metadata: {
    kind: Interrupt['kind'];
    module: string;
    method: string;
    input: JsonObject;
    /** SHA-256 of the call; the record of what ran names the same. */
    inputHash: string;
    /** Why the call needs leave; null for a question. */
    rule: string | null;
  };
}

/** What clients are told of an interrupt. Pure. */
export function toAguiInterrupt(interrupt: Interrupt): AguiInterrupt {
  const { kind, module, method, input, inputHash, rule } = interrupt;
  return {
    id: interrupt.id,
    reason: kind === 'question' ? 'input_required' : 'tool_call',
    message: interrupt.message,
    toolCallId: interrupt.toolCallId,
    responseSchema: interrupt.responseSchema,
    expiresAt: interrupt.expiresAt.toISOString(),
    metadata: { kind, module, method, input, inputHash, rule },
  };
}
