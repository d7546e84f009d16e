import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig } from './app-config.js';
import { executesRuns, servesApi } from './role.js';
import { SECRET_VARIABLES, THEMES, VARIABLES } from './variables.js';

function refusal(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('It was accepted.');
}

describe('the configuration', () => {
  it('needs no variable at all', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      DATABASE_URL: undefined,
      DATA_DIR: '.data',
      CORS_ORIGINS: [],
      ENABLED_SKILLS: ['*'],
      TRUST_PROXY: 0,
    });
  });

  it('reads each kind of value', () => {
    const config = readConfig({
      PORT: '0',
      TRUST_PROXY: '1',
      CORS_ORIGINS: ' https://a.example , ,https://b.example',
      PUBLIC_URL: 'https://steward.example//',
      CALENDAR_IMPORT_ORIGINS: 'http://10.0.0.5:8080/, HTTPS://Calendar.Example:443',
      CLI_EXECUTOR: 'inline',
      DATABASE_URL: 'postgres://me:secret@db:5432/steward',
    });
    expect(config).toMatchObject({
      PORT: 0,
      TRUST_PROXY: 1,
      CORS_ORIGINS: ['https://a.example', 'https://b.example'],
      PUBLIC_URL: 'https://steward.example',
      CALENDAR_IMPORT_ORIGINS: ['http://10.0.0.5:8080', 'https://calendar.example'],
      CLI_EXECUTOR: 'inline',
      DATABASE_URL: 'postgres://me:secret@db:5432/steward',
    });
  });

  it.each([
    ['PORT', 'eighty', 'must be a whole number from 0 to 65535'],
    ['PORT', '65536', 'must be a whole number from 0 to 65535'],
    ['PORT', '-1', 'must be a whole number from 0 to 65535'],
    ['PORT', '80.5', 'must be a whole number from 0 to 65535'],
    ['PORT', '0x50', 'must be a whole number from 0 to 65535'],
    ['CREDENTIAL_TTL_SECONDS', '299', 'must be a whole number from 300 to 600'],
    ['TRUST_PROXY', 'true', 'must be a whole number from 0 to 10'],
    ['LOG_LEVEL', 'loud', 'fatal,error,warn,info,debug,trace,silent'],
    ['CLI_EXECUTOR', 'remote', 'process,inline,http'],
    ['ROLE', 'leader', 'all,api,worker'],
    ['PUBLIC_URL', 'steward.example', 'must be an http:// or https:// URL'],
    ['MODEL_BASE_URL', 'ftp://model', 'must be an http:// or https:// URL'],
    ['MODEL_EXTRA_BODY', '[1]', 'must be a JSON object'],
    ['S3_ENDPOINT', 'minio:9000', 'must be an http:// or https:// URL of a host'],
    ['S3_ENDPOINT', 'https://minio/path', 'without path or keys'],
    ['CALENDAR_IMPORT_ORIGINS', 'https://a.example,10.0.0.5:8080', 'must be origins such as'],
    ['CALENDAR_IMPORT_ORIGINS', 'https://a.example/path', 'must be origins such as'],
    ['CALENDAR_IMPORT_FROM', 'everywhere', 'internet,listed,off'],
    ['S3_BUCKET', 'Not_A_Bucket', 'must be 3 to 63 of a-z, 0-9, - and .'],
    ['S3_PATH_STYLE', 'perhaps', 'must be true or false'],
  ])('refuses %s=%s and says what is accepted', (name, value, accepted) => {
    const message = refusal({ [name]: value });
    expect(message).toContain(`${name}="${value}"`);
    expect(message).toContain(accepted);
    expect(message).toContain('docs/CONFIGURATION.md');
  });

  it('names every bad variable at once', () => {
    const message = refusal({ PORT: 'x', LOG_LEVEL: 'y', RUN_MAX_TURNS: '0' });
    for (const name of ['PORT', 'LOG_LEVEL', 'RUN_MAX_TURNS'])
      expect(message).toContain(`${name}=`);
  });

  it('does not show the value of a secret, even a bad one', () => {
    const message = refusal({ DATABASE_URL: 'mysql://me:hunter2@db/x' });
    expect(message).toContain('DATABASE_URL=(hidden): must be a URL such as postgres://');
    expect(message).not.toContain('hunter2');
    expect(refusal({ REDIS_URL: 'http://:hunter2@cache' })).toContain(
      'REDIS_URL=(hidden): must be a URL such as redis://',
    );
    const url = refusal({ S3_ENDPOINT: 'https://me:hunter2@minio:9000' });
    expect(url).toContain('S3_ENDPOINT="https://(hidden)@minio:9000"');
  });

  it.each([...SECRET_VARIABLES])('refuses a blank %s, which protects nothing', (name) => {
    for (const blank of ['', ' ', '\n']) {
      expect(refusal({ [name]: blank })).toContain(`${name}=(hidden): `);
    }
  });

  it('says of a blank key what to do', () => {
    const blank = 'is blank: give it a value, or leave it out';
    for (const name of ['METRICS_TOKEN', 'AUTH_SIGNING_KEY', 'MODEL_API_KEY', 'S3_SECRET_KEY'])
      expect(refusal({ [name]: '' })).toContain(`${name}=(hidden): ${blank}`);
    const token = refusal({ METRICS_TOKEN: 'hunter 2' });
    expect(token).toContain('METRICS_TOKEN=(hidden): must be visible ASCII without spaces');
    expect(token).not.toContain('hunter');
  });

  it('holds the rules between variables', () => {
    expect(refusal({ MODEL_BASE_URL: 'http://localhost:11434/v1' })).toContain(
      'MODEL_NAME is missing',
    );
    expect(refusal({ MODEL_FALLBACK_NAME: 'b' })).toContain('is set without MODEL_BASE_URL');
    const key = refusal({ MODEL_FALLBACK_API_KEY: 'hunter2' });
    expect(key).toContain('MODEL_FALLBACK_API_KEY is set without MODEL_FALLBACK_NAME');
    expect(key).not.toContain('hunter2');
    const s3 = refusal({ S3_ENDPOINT: 'https://minio:9000', S3_SECRET_KEY: 'hunter2' });
    expect(s3).toContain('S3_ACCESS_KEY is missing');
    expect(s3).not.toContain('S3_SECRET_KEY');
    expect(refusal({ S3_SECRET_KEY: 'hunter2' })).toContain('S3_SECRET_KEY is set without');
    expect(refusal({ S3_SECRET_KEY: 'hunter2' })).not.toContain('hunter2');
    expect(refusal({ RUN_TIMEOUT_SECONDS: '600', CREDENTIAL_TTL_SECONDS: '300' })).toContain(
      'RUN_TIMEOUT_SECONDS=600: must not be above CREDENTIAL_TTL_SECONDS=300',
    );
  });

  it('starts a worker only with what it shares, and whose calls go elsewhere', () => {
    const alone = refusal({ ROLE: 'worker', CLI_EXECUTOR: 'inline' });
    expect(alone).toContain('DATABASE_URL is missing');
    expect(alone).toContain('PROJECT_CLI_ENDPOINT is missing');
    expect(alone).toContain('CLI_EXECUTOR="inline"');
    const env = {
      ROLE: 'worker',
      DATABASE_URL: 'postgres://db/steward',
      PROJECT_CLI_ENDPOINT: 'http://api:3000',
    };
    const worker = readConfig(env);
    expect(worker.CLI_EXECUTOR).toBe('http');
    expect([executesRuns(worker), servesApi(worker)]).toEqual([true, false]);
    expect(readConfig({ ...env, CLI_EXECUTOR: 'process' }).CLI_EXECUTOR).toBe('process');
  });

  it('does everything in one process unless it is told otherwise', () => {
    const [all, api] = [readConfig({}), readConfig({ ROLE: 'api' })];
    expect([executesRuns(all), servesApi(all), all.CLI_EXECUTOR]).toEqual([true, true, 'process']);
    expect([executesRuns(api), servesApi(api)]).toEqual([false, true]);
  });

  it('cannot be changed', () => {
    const config = readConfig({});
    expect(() => Object.assign(config, { PORT: 1 })).toThrow(TypeError);
  });

  it('explains every variable once', () => {
    const explained = THEMES.flatMap((theme) => Object.keys(theme.variables));
    expect(explained.toSorted()).toEqual(Object.keys(VARIABLES).toSorted());
    for (const [name, spec] of Object.entries(VARIABLES))
      expect([name, spec.desc]).not.toContain('');
    for (const name of SECRET_VARIABLES) expect(Object.keys(VARIABLES)).toContain(name);
  });
});
