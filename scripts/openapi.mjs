// `npm run openapi` writes docs/openapi.json from the application as it is composed; with --check it
// only fails when the file says something else.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { withApp } from './with-app.mjs';

const file = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));

const { text, silent } = await withApp(async (app) => {
  const { buildOpenApi } = await import('../dist/src/http/openapi/openapi.js');
  const { undescribed } = await import('../dist/src/http/openapi/descriptions.js');
  const document = buildOpenApi(app);
  return { text: `${JSON.stringify(document, null, 2)}\n`, silent: undescribed(document) };
});
if (silent.length > 0) {
  console.error(`Without a description: ${silent.join(', ')}.`);
  console.error('Say in src/http/openapi/words/ or at the member what it is.');
  process.exitCode = 1;
}
if (process.argv.includes('--check')) {
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current !== text) {
    console.error('docs/openapi.json is not what the application serves. Run `npm run openapi`.');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
}
