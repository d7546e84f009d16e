import { guessTarget, parseArguments, type Format } from './cli/arguments.js';
import { exitStatus, failureDocument } from './cli/cli-failure.js';
import { readEnvironment } from './cli/environment.js';
import { formatDocument } from './cli/format-document.js';
import { readAnswer } from './cli/read-answer.js';
import { readInput } from './cli/read-input.js';
import { postCall } from './cli/tool-door.js';
import { USAGE } from './cli/usage.js';
import type { CliDocument } from './tool-router/cli-document.js';

/** The project-cli executable (PROTOCOL §4): one call, one document on stdout, one exit status. */
async function run(argv: string[]): Promise<{ document: CliDocument; format: Format }> {
  let format: Format = 'json';
  let target = guessTarget(argv);
  try {
    const command = parseArguments(argv);
    format = command.format;
    if (command.kind === 'usage') return { document: USAGE, format };
    target = guessTarget([command.module, command.method]);
    const input = await readInput(command, () => process.stdin);
    const call = { module: command.module, method: command.method, input };
    const answer = await postCall(call, readEnvironment(process.env));
    return { document: readAnswer(answer), format };
  } catch (error) {
    return { document: failureDocument(error, target.module, target.method), format };
  }
}

// A reader that went away is not our failure, and must not become a stack trace.
process.stdout.on('error', () => process.exit());

const { document, format } = await run(process.argv.slice(2));
if (!document.ok) console.error(`project-cli: ${document.error.code}: ${document.error.message}`);
// No process.exit(): the status is set and the process ends when stdout is flushed.
process.exitCode = exitStatus(document);
process.stdout.write(formatDocument(document, format));
