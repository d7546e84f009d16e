// `npm run keys -- list | rotate [--now] | generate`: the keys that sign tokens (docs/ADMIN.md, Keys). A
// running server notices a rotation by itself.
import { ensureBuilt } from './ensure-built.mjs';

const USAGE = `Usage: npm run keys -- <command>
  list            keys that sign and verify, as JSON lines
  rotate          give the issuer in DATA_DIR a new key; the old one verifies until its tokens are over
  rotate --now    the same after a leak: what the old key signed is refused at once
  generate        print a new key for AUTH_SIGNING_KEY`;

async function main([command, option, ...rest]) {
  const known = ['list', 'rotate', 'generate'].includes(command) && rest.length === 0;
  if (!known || (option !== undefined && !(command === 'rotate' && option === '--now'))) {
    console.error(USAGE);
    return 2;
  }
  await ensureBuilt();
  const { generateKey, listKeys, rotateKeys } = await import('../dist/src/auth/key-rotation.js');
  const { readConfig } = await import('../dist/src/config/app-config.js');
  try {
    if (command === 'generate') {
      process.stdout.write(generateKey());
      return 0;
    }
    const config = readConfig();
    const now = new Date();
    if (command === 'rotate') {
      const kid = await rotateKeys(config, { now, atOnce: option === '--now' });
      console.error(`The issuer signs with ${kid}.`);
    }
    for (const key of await listKeys(config, now)) console.log(JSON.stringify(key));
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
