import { ensureGathered } from './test/support/packages/gather.mjs';

const swc = JSON.parse(
  (await import('node:fs')).readFileSync(new URL('./.swcrc', import.meta.url), 'utf8'),
);
delete swc.$schema;

// Before Jest resolves anything with the resolver that reads them.
await ensureGathered();

/** One Postgres cluster serves the whole run; every test file gets a database of its own. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  resolver: '<rootDir>/test/support/packages/resolver.cjs',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/setup-file.ts'],
  maxWorkers: 2,
  testTimeout: 60_000,
  workerIdleMemoryLimit: '1GB',
};
