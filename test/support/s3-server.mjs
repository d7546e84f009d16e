// An S3 server for tests: `node s3-server.mjs FOLDER` serves the folder on a free port, says which on
// stdout, and ends when its stdin does, so it does not outlive the test that started it.
import S3rver from '@20minutes/s3rver';

const server = new S3rver({
  directory: process.argv[2],
  address: '127.0.0.1',
  port: 0,
  silent: true,
  vhostBuckets: false,
});

// A deletion removes the folders that it leaves empty. Two at once do so both, of which one fails, and
// a write beside one can lose its folder: faults that no test asked for. So they go one by one.
let last = Promise.resolve();
for (const change of ['putObject', 'deleteObject']) {
  const inner = server.store[change].bind(server.store);
  server.store[change] = (...given) => {
    const done = last.then(() => inner(...given));
    last = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  };
}

const { port } = await server.run();
process.stdout.write(`${JSON.stringify({ port })}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
