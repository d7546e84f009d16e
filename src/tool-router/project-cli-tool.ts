import type { JsonObject } from '../common/json.js';
import { TOOL_NAME } from '../tool-output/tool-agent-output.js';
import type { ModuleSummary } from './capability-registration.js';

/** The function that a model is given. */
export interface ProjectCliTool {
  name: string;
  description: string;
  parameters: JsonObject;
}

/**
 * The only tool that a model sees (PROTOCOL §2). Its schema has `module`, `method` and `input` and
 * no method of any module; the description names `modules` in one line each and says how to find
 * out the rest.
 */
export function projectCliTool(modules: readonly ModuleSummary[]): ProjectCliTool {
  const lines = modules.map(({ name, description }) => `- ${name}: ${description}`);
  return {
    name: TOOL_NAME,
    description: [
      'Runs one method of one module on behalf of the user and returns its result as JSON.',
      'Modules:',
      ...lines,
      'Methods and their inputs are not listed here. Discover them with the help module: ' +
        '{"module":"help","method":"methods","input":{"module":"<module>"}} lists methods, ' +
        '{"module":"help","method":"describe","input":{"module":"<module>","method":"<method>"}} ' +
        'gives the input schema and examples of one, ' +
        '{"module":"help","method":"search","input":{"query":"<words>"}} finds methods and skills.',
      'A failed call says in `error` what was wrong and what is accepted: correct it and call again.',
    ].join('\n'),
    parameters: {
      type: 'object',
      properties: {
        module: { type: 'string', description: 'Name of a module.' },
        method: { type: 'string', description: 'Name of a method of that module.' },
        input: { type: 'object', description: "The method's input; {} when it takes none." },
      },
      required: ['module', 'method'],
      additionalProperties: false,
    },
  };
}
