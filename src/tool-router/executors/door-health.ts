import { Inject, Injectable, Logger } from '@nestjs/common';
import { IssuerKeys } from '../../auth/issuer-keys.js';
import { isJsonObject } from '../../common/json.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { cached } from '../../observability/cached.js';

/** Milliseconds for the answer, and for which it is believed. */
const PATIENCE_MS = 1_000;
const BELIEVED_MS = 2_000;

/** `foreign`: it answers, and does not accept what this process signs. */
export type DoorState = 'up' | 'silent' | 'foreign';

/**
 * The tool door of a worker: at `PROJECT_CLI_ENDPOINT`, an API replica or the proxy before several.
 * Without its answer, or where it does not know the worker's signing key, every call of the worker's runs
 * would fail.
 */
@Injectable()
export class DoorHealth {
  private readonly logger = new Logger('ToolDoor');
  private before: DoorState = 'up';

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly keys: IssuerKeys,
  ) {}

  /** Up also in a process that serves the tool door itself. Never rejects. */
  readonly state = cached(BELIEVED_MS, () => this.ask());

  private async ask(): Promise<DoorState> {
    const { ROLE, PROJECT_CLI_ENDPOINT: endpoint } = this.config;
    if (ROLE !== 'worker' || endpoint === undefined) return 'up';
    const state = await stateOf(endpoint.replace(/\/+$/, ''), this.keys.current.kid);
    this.say(state, endpoint);
    this.before = state;
    return state;
  }

  /** Once for each change: it is asked every few seconds. */
  private say(state: DoorState, endpoint: string): void {
    if (state === this.before) return;
    if (state === 'up') this.logger.log('The tool door can be used again.');
    else this.logger.warn(`Not ready: ${faultOf(state, endpoint)}`);
  }
}

function faultOf(state: Exclude<DoorState, 'up'>, endpoint: string): string {
  return state === 'silent'
    ? `nothing answers at ${endpoint}.`
    : `${endpoint} does not accept this worker's signing key: AUTH_SIGNING_KEY, or DATA_DIR, must be the same for both.`;
}

/**
 * Asks for the keys that the door verifies with. A proxy that has no replica left says so with 502 or
 * 503; one that keeps the path to itself is there, and what it verifies with is not known.
 */
async function stateOf(endpoint: string, kid: string): Promise<DoorState> {
  try {
    const response = await fetch(`${endpoint}/.well-known/jwks.json`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'manual',
      headers: { 'cache-control': 'no-cache' },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return response.status < 500 ? 'up' : 'silent';
    }
    const kids = kidsOf(await response.text());
    return kids === null || kids.includes(kid) ? 'up' : 'foreign';
  } catch {
    return 'silent';
  }
}

/** Names of the keys of a JWK set (RFC 7517 §5); null for anything else. */
function kidsOf(text: string): unknown[] | null {
  try {
    const set: unknown = JSON.parse(text);
    if (!isJsonObject(set) || !Array.isArray(set.keys)) return null;
    return set.keys.map((key: unknown) => (isJsonObject(key) ? key.kid : undefined));
  } catch {
    return null;
  }
}
