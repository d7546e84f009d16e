// An OpenTelemetry collector in a process of its own, which takes what comes and keeps nothing. It says
// its address once, and how many exports it got whenever it is asked.
import { createServer } from 'node:http';

let exports = 0;
const server = createServer((request, response) => {
  exports += 1;
  request.resume();
  request.on('end', () =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  );
});
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
process.on('message', () => process.send(exports));
process.on('disconnect', () => process.exit());
