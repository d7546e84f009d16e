import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { describe, expect, it } from '@jest/globals';
import { Client } from 'minio';
import { readConfig } from '../../config/app-config.js';
import { s3Options } from './s3-options.js';

const keys = { S3_ACCESS_KEY: 'an-access-key', S3_SECRET_KEY: 'a-secret-key' };

function optionsOf(endpoint: string, env: Record<string, string> = {}) {
  const config = readConfig({ ...keys, ...env, S3_ENDPOINT: endpoint });
  return s3Options({ ...config, S3_ENDPOINT: config.S3_ENDPOINT ?? '' });
}

/** Where a presigned URL, which needs no connection, says that the object lies. */
function placeOf(endpoint: string, env: Record<string, string> = {}): Promise<string> {
  const { client, bucket } = optionsOf(endpoint, env);
  return new Client(client)
    .presignedGetObject(bucket, 'a/b.json', 60)
    .then((url) => url.slice(0, url.indexOf('?')));
}

describe('the options of an S3 store', () => {
  it.each([
    ['http://minio:9000', {}, 'http://minio:9000/steward/a/b.json'],
    ['https://minio', {}, 'https://minio/steward/a/b.json'],
    ['https://minio:9443/', {}, 'https://minio:9443/steward/a/b.json'],
    ['http://127.0.0.1:9000', {}, 'http://127.0.0.1:9000/steward/a/b.json'],
    ['http://[::1]:9000', {}, 'http://[::1]:9000/steward/a/b.json'],
    ['https://s3.example', { S3_BUCKET: 'other' }, 'https://s3.example/other/a/b.json'],
    ['https://s3.example', { S3_PATH_STYLE: 'false' }, 'https://steward.s3.example/a/b.json'],
  ])('%s %j leads to %s', async (endpoint, env, place) => {
    expect(await placeOf(endpoint, env)).toBe(place);
  });

  it('speaks TLS when the endpoint says so', () => {
    expect(optionsOf('https://minio').client.transportAgent).toBeInstanceOf(HttpsAgent);
    const plain = optionsOf('http://minio').client;
    expect(plain.transportAgent).toBeInstanceOf(HttpAgent);
    expect(plain.transportAgent).not.toBeInstanceOf(HttpsAgent);
    expect(plain).toMatchObject({ accessKey: 'an-access-key', secretKey: 'a-secret-key' });
  });
});
