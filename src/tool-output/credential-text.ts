import { isJsonObject } from '../common/json.js';

/** What stands in place of a credential. */
export const REDACTED = '[redacted]';

/**
 * Names under which credentials are passed, without case, `-`, `_`, `.` and spaces. Whole names
 * only: `page_token`, `owner` or a title that says "token" are ordinary data.
 */
const CREDENTIAL_KEYS = new Set(
  `token accesstoken refreshtoken idtoken authtoken bearertoken sessiontoken usertoken apitoken
   xauthtoken securitytoken authorization proxyauthorization bearer jwt apikey xapikey accesskey
   accesskeyid secretkey secretaccesskey apisecret clientsecret privatekey signingkey password passwd
   credential credentials controlledcredential projectclicredential ownerid cookie setcookie
   oauthtoken oauth2token csrftoken xcsrftoken xsrftoken bottoken githubtoken gitlabtoken slacktoken
   xamzsecuritytoken awsaccesskeyid awssecretaccesskey awssessiontoken authorizationheader authheader
   authkey sharedsecret appsecret secrettoken passphrase pwd userpassword sshkey privatekeypem
   encryptionkey sessioncookie`.split(/\s+/),
);

/** A value that is nothing but `Bearer x`, with or without the header's name. */
const BEARER_VALUE = /^\s*(?:authorization\s*[:=]\s*)?bearer\s+[\w.~+/-]{3,}=*\s*$/i;

/** `Bearer x` inside a text; x must look made by a machine, so that prose does not match. */
const BEARER_IN_TEXT = /\bbearer\s+(?=[a-z.~+/_-]*\d)[\w.~+/-]{16,}=*/gi;

/** `Authorization: Basic x` inside a text; a scheme and a secret, not a sentence about one. */
const HEADER_IN_TEXT =
  /\b(?:proxy-)?authorization["']?\s{0,8}[:=]\s{0,8}["']?(?:basic|bearer|digest|token)\s{1,8}[\w.~+/=-]{3,}/gi;

/**
 * Keys in the formats in which their issuers make them, so that they can be found: each begins with a
 * mark of its own and has a length that no word has.
 */
const ISSUED_KEY = new RegExp(
  [
    String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`, // AWS
    String.raw`\bgh[pousr]_[0-9A-Za-z]{36,}`, // GitHub
    String.raw`\bgithub_pat_\w{22,}`,
    String.raw`\bglpat-[\w-]{20,}`, // GitLab
    String.raw`\bsk-(?=[\w-]{0,64}\d)(?=[\w-]{0,64}[A-Z])[\w-]{20,}`, // OpenAI, Anthropic
    String.raw`\bsk-(?=[A-Za-z]*\d)[0-9A-Za-z]{32,}`, // DeepSeek, DashScope: lower case alone
    String.raw`\b(?:sk|rk|pk)_(?:live|test)_[0-9A-Za-z]{16,}`, // Stripe
    String.raw`\bxox[abeoprs]-[\w-]{10,}`, // Slack
    String.raw`\bAIza[\w-]{35}`, // Google
    String.raw`\bya29\.[\w-]{20,}`,
    String.raw`\bSG\.[\w-]{22}\.[\w-]{43}`, // SendGrid
    String.raw`\bnpm_[0-9A-Za-z]{36}`,
    String.raw`\bpypi-AgE[\w-]{40,}`,
    String.raw`\bhf_[0-9A-Za-z]{30,}`, // Hugging Face
    String.raw`\bdop_v1_[0-9a-f]{64}`, // DigitalOcean
    String.raw`-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY-----`,
    String.raw`\bhttps?:\/\/[^\s/@:?#]{1,64}:[^\s/@?#]{1,256}@`, // user and password in a URL
    String.raw`[?&](?:access_token|id_token|refresh_token|client_secret)=[\w.~%+/-]{8,}`,
  ].join('|'),
  'g',
);

/** Longest runs of characters that a JWT is made of. */
const TOKEN_RUN = /[\w.-]+/g;

/** Shortest base64url text of `{"alg":"x"}`. */
const MIN_HEADER = 14;

/** True when `key` names a credential: `accessToken`, `access-token`, `ACCESS_TOKEN`. */
export function isCredentialKey(key: string): boolean {
  if (key.length > 64) return false;
  const name = key.normalize('NFKC').toLowerCase();
  return CREDENTIAL_KEYS.has(name.replace(/[-_.\s\p{Cf}]/gu, ''));
}

/** True for the first part of a JWT or JWE: base64url of a JSON object with `alg`. */
function isJoseHeader(part: string): boolean {
  if (part.length < MIN_HEADER) return false;
  const text = Buffer.from(part, 'base64url').toString('utf8');
  if (!text.includes('"alg"') && !text.includes('\\u')) return false;
  try {
    const header: unknown = JSON.parse(text);
    return isJsonObject(header) && typeof header.alg === 'string';
  } catch {
    return false;
  }
}

/**
 * Where a JOSE header starts in `part`: -1 when there is none. Text may be glued to it
 * (`token_eyJ…`); only the first few places are tried, which keeps the work linear.
 */
export function headerStart(part: string): number {
  if (isJoseHeader(part)) return 0;
  let at = part.indexOf('eyJ');
  for (let tries = 0; at !== -1 && tries < 8; tries++) {
    if (isJoseHeader(part.slice(at))) return at;
    at = part.indexOf('eyJ', at + 1);
  }
  return -1;
}

/** Start of a JWT in a run of token characters, or -1. */
function jwtStart(run: string): number {
  const parts = run.split('.');
  let offset = 0;
  for (const [index, part] of parts.entries()) {
    if (index + 2 >= parts.length) return -1;
    const start = headerStart(part);
    if (start !== -1) return offset + start;
    offset += part.length + 1;
  }
  return -1;
}

/** True when `text` is a bearer header, or has one, a key of a known issuer or a JWT somewhere in it. */
export function hasCredentialText(text: string): boolean {
  if (text.length < 8) return false;
  if (BEARER_VALUE.test(text) || text.search(BEARER_IN_TEXT) !== -1) return true;
  if (text.search(HEADER_IN_TEXT) !== -1 || text.search(ISSUED_KEY) !== -1) return true;
  if (!text.includes('.')) return false;
  for (const [run] of text.matchAll(TOKEN_RUN)) {
    if (jwtStart(run) !== -1) return true;
  }
  return false;
}

/** `text` with every bearer header, key of a known issuer and JWT in it replaced by `[redacted]`. */
export function redactTokens(text: string): string {
  return BEARER_VALUE.test(text) ? REDACTED : redactProse(text);
}

/** The same in a piece of prose, in which `bearer shares` alone is no header. */
export function redactProse(text: string): string {
  if (!hasCredentialText(text)) return text;
  // JWTs first: a key's mark in front of one would take its header alone, and leave the rest.
  return text
    .replace(TOKEN_RUN, (run) => {
      const start = jwtStart(run);
      return start === -1 ? run : `${run.slice(0, start)}${REDACTED}`;
    })
    .replace(BEARER_IN_TEXT, `Bearer ${REDACTED}`)
    .replace(HEADER_IN_TEXT, REDACTED)
    .replace(ISSUED_KEY, REDACTED);
}
