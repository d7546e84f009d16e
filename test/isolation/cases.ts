import { AGENT } from './agent-cases.js';
import { CALENDAR_METHODS } from './calendar-methods.js';
import { CALENDAR_ROUTES } from './calendar-routes.js';
import { CONTACTS } from './contacts-cases.js';
import { MEMORY } from './memory-cases.js';
import { SCHEDULER } from './scheduler-cases.js';

/** Every method, tried by somebody else with the ids of the first person. */
export const METHOD_CASES = {
  ...CALENDAR_METHODS.methods,
  ...CONTACTS.methods,
  ...AGENT.methods,
  ...MEMORY.methods,
  ...SCHEDULER.methods,
};

/** Every route, tried by somebody else with what the first person has; paths without `/api/v1`. */
export const ROUTE_CASES = {
  ...CALENDAR_ROUTES.routes,
  ...CONTACTS.routes,
  ...AGENT.routes,
  ...MEMORY.routes,
  ...SCHEDULER.routes,
};

/** Routes that ask for no bearer token. A new one is a decision: it must be added here. */
export const PUBLIC_ROUTES = [
  'GET /.well-known/jwks.json',
  'GET /agent/attachments/{id}/content',
  'GET /calendar/feeds/{token}.ics',
  'GET /healthz',
  'GET /metrics',
  'GET /readyz',
  'POST /auth/refresh',
  'POST /auth/register',
  'POST /auth/token',
];
