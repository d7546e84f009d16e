import type { AppConfig } from '../../config/app-config.js';
import { executesRuns } from '../../config/role.js';
import type { ToolDefinition } from '../models/chat-model.js';

type Settings = Pick<
  AppConfig,
  | 'MODEL_BASE_URL'
  | 'MODEL_REASONING'
  | 'MODEL_INPUT'
  | 'RUN_MAX_TURNS'
  | 'RUN_TIMEOUT_SECONDS'
  | 'CLI_EXECUTOR'
  | 'ROLE'
>;

/**
 * What this deployment can do, as AG-UI's `AgentCapabilities` (protocol 1.0, also known to 0.0.59).
 * Where a member says no, clients need not offer it; one that is absent says nothing. The settings of the
 * model and of runs are those of this process, and the same in all of a deployment. Pure.
 */
export function agentCapabilities(config: Settings, tool: ToolDefinition) {
  // The offline planner says nothing of what it thinks, and sees no files.
  const model = config.MODEL_BASE_URL !== undefined;
  const reasoning = model && config.MODEL_REASONING === 'show';
  const takes = (kind: 'image' | 'file') => model && config.MODEL_INPUT.includes(kind);
  return {
    identity: { name: 'Steward', type: 'steward' },
    transport: {
      streaming: true,
      websocket: false,
      httpBinary: false,
      pushNotifications: false,
      resumable: true,
    },
    tools: { supported: true, items: [tool], parallelCalls: false, clientProvided: true },
    output: { structuredOutput: false, supportedMimeTypes: ['text/plain'] },
    state: { snapshots: true, deltas: true, memory: true, persistentState: true },
    multiAgent: { supported: false, delegation: false, handoffs: false },
    reasoning: { supported: reasoning, streaming: reasoning, encrypted: false },
    multimodal: {
      input: { image: takes('image'), audio: false, video: false, pdf: takes('file'), file: false },
      output: { image: false, audio: false },
    },
    execution: {
      codeExecution: false,
      // How calls are executed is a worker's own setting, which this process does not know.
      ...(executesRuns(config) && { sandboxed: config.CLI_EXECUTOR === 'process' }),
      maxIterations: config.RUN_MAX_TURNS,
      maxExecutionTime: config.RUN_TIMEOUT_SECONDS * 1_000,
    },
    humanInTheLoop: {
      supported: true,
      approvals: true,
      interventions: false,
      feedback: false,
      interrupts: true,
      approveWithEdits: true,
    },
  };
}
