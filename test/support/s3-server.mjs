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
const { port } = await server.run();
process.stdout.write(`${JSON.stringify({ port })}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
