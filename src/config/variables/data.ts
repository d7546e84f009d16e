import { str } from 'envalid';
import { integer, postgresUrl, redisUrl } from './kinds.js';
import { defineTheme } from './theme.js';

/** Where everything is kept, and how processes tell each other of it. */
export const DATA = defineTheme({
  title: 'Data',
  variables: {
    DATA_DIR: str({
      default: '.data',
      desc: 'Folder of the embedded database, the signing key and, without S3_ENDPOINT, the stored objects.',
    }),
    DATABASE_URL: postgresUrl({
      default: undefined,
      desc: 'PostgreSQL 15 or later. Absent: the server starts an embedded PostgreSQL in DATA_DIR.',
    }),
    DATABASE_POOL_SIZE: integer(
      2,
      200,
    )({ default: 10, desc: 'Most database connections of this process.' }),
    MIGRATIONS: str({
      choices: ['auto', 'manual'],
      default: 'auto',
      desc: 'auto: pending migrations run at start, one replica at a time. manual: the start stops when some are pending.',
    }),
    REDIS_URL: redisUrl({
      default: undefined,
      desc: 'Redis 6.2 or later, which tells the processes of one deployment of runs and events faster than PostgreSQL does. Holds nothing of its own: without it, or while it does not answer, PostgreSQL does all.',
    }),
  },
  secrets: ['DATABASE_URL', 'REDIS_URL'],
});
