const swc = JSON.parse(
  (await import('node:fs')).readFileSync(new URL('./.swcrc', import.meta.url), 'utf8'),
);
delete swc.$schema;

/** One Postgres cluster serves the whole run; every test file gets a database of its own. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/setup-file.ts'],
  maxWorkers: 2,
  testTimeout: 60_000,
  workerIdleMemoryLimit: '1GB',
};
