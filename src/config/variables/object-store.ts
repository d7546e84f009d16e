import { str } from 'envalid';
import { bucketName, flag, integer, s3Endpoint, secret } from './kinds.js';
import { defineTheme } from './theme.js';

/** Where large records and attachments lie. */
export const OBJECT_STORE = defineTheme({
  title: 'Object store',
  variables: {
    S3_ENDPOINT: s3Endpoint({
      default: undefined,
      desc: 'S3 endpoint (MinIO, AWS, …) for tool outputs and attachments, as https://host:port. Absent: they lie in DATA_DIR/objects.',
    }),
    S3_ACCESS_KEY: secret({ default: undefined, desc: 'Access key; required with S3_ENDPOINT.' }),
    S3_SECRET_KEY: secret({ default: undefined, desc: 'Secret key; required with S3_ENDPOINT.' }),
    S3_BUCKET: bucketName({ default: 'steward', desc: 'Bucket of this deployment alone.' }),
    S3_REGION: str({ default: 'us-east-1', desc: 'Region of the bucket.' }),
    S3_PATH_STYLE: flag({
      default: true,
      desc: 'true: https://host/bucket/key, which MinIO takes. false: https://bucket.host/key. AWS gets the latter anyway.',
    }),
    S3_CREATE_BUCKET: flag({
      default: true,
      desc: 'Whether the bucket is made when it is missing.',
    }),
    S3_CONNECT_TIMEOUT_MS: integer(
      50,
      60_000,
    )({ default: 2000, desc: 'Milliseconds until a connection to the S3 endpoint must stand.' }),
    S3_TIMEOUT_MS: integer(
      50,
      600_000,
    )({
      default: 10_000,
      desc: 'Milliseconds without a byte from the S3 endpoint after which a request fails.',
    }),
  },
  secrets: ['S3_ACCESS_KEY', 'S3_SECRET_KEY'],
});
