import { str } from 'envalid';
import { integer, secret } from './kinds.js';
import { defineTheme } from './theme.js';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** Who may come in, for how long, and what is kept of it. */
export const ACCOUNTS_AND_TOKENS = defineTheme({
  title: 'Accounts and tokens',
  variables: {
    AUTH_REGISTRATION: str({
      choices: ['open', 'closed'],
      default: 'open',
      desc: 'closed: nobody registers after the first account, which is the admin.',
    }),
    AUTH_SIGNING_KEY: secret({
      default: undefined,
      desc: 'Ed25519 private key of the embedded issuer, PKCS#8 PEM or JWK. Absent: made once and kept in DATA_DIR; replicas on different machines must be given one.',
    }),
    AUTH_VERIFY_KEYS: secret({
      default: undefined,
      desc: 'Ed25519 keys of before, whose tokens are still accepted: PEM blocks one after the other, or JWKs in a JSON list. Private keys also keep alive links that they signed.',
    }),
    ACCESS_TOKEN_TTL_SECONDS: integer(
      MINUTE,
      DAY,
    )({ default: 60 * MINUTE, desc: 'Life of a bearer token.' }),
    REFRESH_TOKEN_TTL_SECONDS: integer(
      MINUTE,
      365 * DAY,
    )({
      default: 30 * DAY,
      desc: 'Life of a refresh token; each works once.',
    }),
    SIGN_IN_ATTEMPTS_PER_MINUTE: integer(
      1,
      10_000,
    )({
      default: 10,
      desc: 'Sign-in and registration attempts per address in a minute; per account, from everywhere, ten times that.',
    }),
    CREDENTIAL_TTL_SECONDS: integer(
      300,
      600,
    )({
      default: 600,
      desc: 'Life of a controlled credential.',
    }),
    AUDIT_RETENTION_DAYS: integer(
      0,
      36_500,
    )({
      default: 0,
      desc: 'Days after which entries of the audit are removed, oldest first; a signed checkpoint stays in their place. 0: never.',
    }),
  },
  secrets: ['AUTH_SIGNING_KEY', 'AUTH_VERIFY_KEYS'],
});
