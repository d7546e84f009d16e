// Loaded into a server under test (`NODE_OPTIONS=--expose-gc --import …`): on SIGUSR2 it collects
// garbage and writes one line of what is still held to stderr.
process.on('SIGUSR2', () => {
  globalThis.gc();
  // What finalisers let go is collected by the second turn.
  setImmediate(() => {
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    const resources = process.getActiveResourcesInfo().length;
    process.stderr.write(`held ${JSON.stringify({ bytes: heapUsed + external, resources })}\n`);
  });
});
