import type { Placement } from '../../tool-output/storage/placement.js';
import { TOOL_NAME, type ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { toToolMessage } from '../../tool-output/tool-message.js';
import type { CapabilityDescriptor } from '../capability.js';
import type { JsonObject } from '../../common/json.js';

/** What clients and models rely on of one capability (PROTOCOL §15). */
export interface CapabilityContract {
  version: number;
  description: string;
  effect: string;
  risk: string;
  requiresApproval: boolean;
  standingApproval?: boolean;
  inputSchema: JsonObject;
  outputSchema: JsonObject;
}

/** The snapshot in `contracts/capabilities.json`. */
export interface ContractSnapshot {
  tool: string;
  /** Keys of ToolAgentOutput (PROTOCOL §7). */
  recordKeys: string[];
  /** Keys of `messages.metadata` of a tool message (PROTOCOL §9). */
  metadataKeys: string[];
  capabilities: Record<string, CapabilityContract>;
}

/** A record of every tool message's shape; only its keys are of interest. */
const SAMPLE: ToolAgentOutput = {
  tool_name: TOOL_NAME,
  tool_call_id: '',
  tool_call_args: { module: '', method: '', input: {} },
  status: 'success',
  result: null,
  error: null,
  ui_hints: null,
  repairs: [],
  summary: '',
  summary_version: 0,
  started_at: '',
  finished_at: '',
};

const PLACEMENTS: readonly Placement[] = [
  { state: 'inline' },
  {
    state: 'stored',
    reference: { storage_bucket: '', storage_path: '', payload_bytes: 0, payload_sha256: '' },
  },
];

/** Those of every tier. */
function metadataKeys(): string[] {
  const keys = PLACEMENTS.flatMap((placement) =>
    Object.keys(toToolMessage(SAMPLE, '', placement).metadata),
  );
  return [...new Set(keys)].sort();
}

/** The contract of the registered capabilities, in a stable order. */
export function contractOf(descriptors: readonly CapabilityDescriptor[]): ContractSnapshot {
  const sorted = [...descriptors].sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    tool: TOOL_NAME,
    recordKeys: Object.keys(SAMPLE).sort(),
    metadataKeys: metadataKeys(),
    capabilities: Object.fromEntries(
      sorted.map(({ id, version, description, effect, risk, requiresApproval, ...schemas }) => [
        id,
        {
          version,
          description,
          effect,
          risk,
          requiresApproval,
          ...(schemas.standingApproval === false && { standingApproval: false }),
          inputSchema: schemas.inputSchema,
          outputSchema: schemas.outputSchema,
        },
      ]),
    ),
  };
}
