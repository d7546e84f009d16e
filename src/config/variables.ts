import { ACCOUNTS_AND_TOKENS } from './variables/accounts-and-tokens.js';
import { CALENDAR } from './variables/calendar.js';
import { DATA } from './variables/data.js';
import { HTTP_SERVER } from './variables/http-server.js';
import { MODEL_AND_SKILLS } from './variables/model-and-skills.js';
import { OBJECT_STORE } from './variables/object-store.js';
import { OBSERVABILITY } from './variables/observability.js';
import { PROCESS } from './variables/process.js';
import { RUNS } from './variables/runs.js';
import { SCHEDULED_TASKS } from './variables/scheduled-tasks.js';
import { TOOL_CALLS } from './variables/tool-calls.js';
import type { Theme } from './variables/theme.js';

/** Every theme, in the order in which docs/CONFIGURATION.md explains them. */
export const THEMES: readonly Theme[] = [
  PROCESS,
  OBSERVABILITY,
  HTTP_SERVER,
  DATA,
  OBJECT_STORE,
  ACCOUNTS_AND_TOKENS,
  TOOL_CALLS,
  CALENDAR,
  MODEL_AND_SKILLS,
  RUNS,
  SCHEDULED_TASKS,
];

/**
 * Every environment variable that Steward reads, with type, default and meaning. This is the only
 * list: `app-config.ts` reads it, docs/CONFIGURATION.md is generated from its themes.
 */
export const VARIABLES = {
  ...PROCESS.variables,
  ...OBSERVABILITY.variables,
  ...HTTP_SERVER.variables,
  ...DATA.variables,
  ...OBJECT_STORE.variables,
  ...ACCOUNTS_AND_TOKENS.variables,
  ...TOOL_CALLS.variables,
  ...CALENDAR.variables,
  ...MODEL_AND_SKILLS.variables,
  ...RUNS.variables,
  ...SCHEDULED_TASKS.variables,
};

/** Variables whose values never appear in a message or a log. */
export const SECRET_VARIABLES: ReadonlySet<string> = new Set(
  THEMES.flatMap((theme) => theme.secrets ?? []),
);
