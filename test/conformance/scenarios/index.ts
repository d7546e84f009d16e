import { CALL_SCENARIOS } from './calls.js';
import { FAILURE_SCENARIOS } from './failures.js';
import { PEOPLE_SCENARIOS } from './people.js';
import type { Scenario } from './scenario.js';
import { TEXT_SCENARIOS } from './texts.js';
import { TOOL_SCENARIOS } from './tools.js';

/** Every scenario; a name is there once. */
export const SCENARIOS: Scenario[] = [
  ...TEXT_SCENARIOS,
  ...CALL_SCENARIOS,
  ...FAILURE_SCENARIOS,
  ...PEOPLE_SCENARIOS,
  ...TOOL_SCENARIOS,
];
