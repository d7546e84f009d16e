import { createServer } from 'node:net';
import type { AppConfig } from '../config/app-config.js';
import { StartupError } from '../common/startup-error.js';

/**
 * Finds out before a database is made or migrated.
 * @throws StartupError when the port is taken, or HOST is no address of this machine.
 */
export async function assertPortFree({ HOST, PORT }: AppConfig): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const code: unknown = Reflect.get(error, 'code');
      const what =
        code === 'EADDRINUSE'
          ? `port ${PORT} of ${HOST} is in use. Set PORT to another one.`
          : `HOST=${HOST}, PORT=${PORT} cannot be listened on (${String(code)}).`;
      reject(new StartupError(`Steward cannot start: ${what}`));
    });
    server.listen({ host: HOST, port: PORT, exclusive: true }, () => server.close(() => resolve()));
  });
}
