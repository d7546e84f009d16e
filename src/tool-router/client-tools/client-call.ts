import type { JsonObject } from '../../common/json.js';
import type { ApprovalFacts, InputRepair } from '../../tool-output/tool-agent-output.js';

/** A call of a client's tool that passed every check, and is for the client to carry out. */
export interface ClientCall {
  /** Name of the tool. */
  method: string;
  /** Repaired and validated input. */
  input: JsonObject;
  repairs: InputRepair[];
  /** Whose leave it had, where a person gave it for this call; used up with that. */
  approval?: ApprovalFacts;
}

/**
 * Ends the way of a call through the router that its run's client carries out. It passes everything that
 * turns errors into records: what becomes of the call is known when the client has answered.
 */
export class ClientCallHandedOut extends Error {
  constructor(readonly call: ClientCall) {
    super('The call is for the client.');
    this.name = 'ClientCallHandedOut';
  }
}
