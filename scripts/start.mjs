// `npm start`: builds when a source changed since the last build, then starts the server in this
// same process so that signals reach it directly.
import { build, isFresh } from './build.mjs';

if (!(await isFresh())) await build();
await import('../dist/src/main.js');
