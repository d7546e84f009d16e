// `npm start`: builds when a source changed since the last build, then starts the server in this
// same process so that signals reach it directly.
import { ensureBuilt } from './ensure-built.mjs';

await ensureBuilt();
await import('../dist/server/main.js');
