// `npm run docs:config` writes docs/CONFIGURATION.md from the variables in src/config; with --check
// it only fails when the page says something else than they do.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { ensureBuilt } from './ensure-built.mjs';

const page = fileURLToPath(new URL('../docs/CONFIGURATION.md', import.meta.url));

/** What a value may be, in the words of the validator that refuses any other. */
function accepted(spec) {
  if (spec.choices) return spec.choices.map((choice) => `\`${choice}\``).join(', ');
  if (typeof spec.default === 'boolean') return '`true`, `false`';
  if (Array.isArray(spec.default)) return 'comma-separated list';
  try {
    spec._parse('\0');
    return 'text';
  } catch (error) {
    return error.message.replace(/^must be (an? )?/, '');
  }
}

function shown(value) {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  if (Array.isArray(value)) return `\`${value.join(',')}\``;
  if (typeof value !== 'object' || value === null) return `\`${value}\``;
  return Object.keys(value).length === 0 ? '' : `\`${JSON.stringify(value)}\``;
}

async function render() {
  await ensureBuilt();
  const { THEMES, SECRET_VARIABLES } = await import('../dist/src/config/variables.js');

  const row = ([name, spec]) => {
    const meaning = spec.desc + (SECRET_VARIABLES.has(name) ? ' Secret: never shown.' : '');
    return `| \`${name}\` | ${accepted(spec)} | ${shown(spec.default)} | ${meaning.replaceAll('|', '\\|')} |`;
  };
  const section = ({ title, variables }) =>
    `## ${title}\n\n| Variable | Accepted | Default | Meaning |\n|---|---|---|---|\n` +
    Object.entries(variables).map(row).join('\n');
  const text = `# Configuration

Steward is configured by environment variables and starts without any. A value that is not accepted
stops the start with a message that names the variable, the problem and what is accepted.

This page is generated from \`src/config\` by \`npm run docs:config\`.

${THEMES.map(section).join('\n\n')}
`;
  return format(text, { ...(await resolveConfig(page)), filepath: page });
}

const text = await render();
if (process.argv.includes('--check')) {
  const current = await readFile(page, 'utf8').catch(() => '');
  if (current !== text) {
    console.error('docs/CONFIGURATION.md is not what src/config says. Run `npm run docs:config`.');
    process.exitCode = 1;
  }
} else {
  await writeFile(page, text);
}
