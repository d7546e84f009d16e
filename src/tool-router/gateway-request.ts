import type { Locale } from '../common/locale.js';
import type { Door } from './call-context.js';
import type { ClientCall } from './client-tools/client-call.js';

/** One call as a door hands it over. */
export interface GatewayRequest {
  /** Controlled credential; a bearer token of a person is none. */
  credential: string | undefined;
  /** `{module, method, input?}` or JSON text of it, read by nobody yet. */
  call: unknown;
  /** Absent: one is made. In a run, a call that is recorded under it is not executed again. */
  toolCallId?: string | undefined;
  /** Run that the door says the call belongs to; must be the credential's. */
  runId?: string | null | undefined;
  /** Absent: the user's own. */
  locale?: Locale | undefined;
  timezone?: string | undefined;
  door: Door;
  /** Where the call came from, when it came over a network. */
  address?: string | undefined;
  /** The runtime has the run wait for what its client is to carry out; no door says so. */
  handsOut?: true;
}

/** A call that its run's client is to carry out. */
export interface HandedOut {
  status: 'handed_out';
  error: null;
  handedOut: ClientCall;
}
