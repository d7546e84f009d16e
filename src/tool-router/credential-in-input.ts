import { StewardError } from '../common/steward-error.js';

/** The refusal of input that carries a credential; it names the place, never the value. */
export function credentialInInput(path: string): StewardError {
  const message =
    'The input carries a credential. Calls are authenticated by the runtime; remove it.';
  return new StewardError('CREDENTIAL_IN_INPUT', message, {
    issues: [{ path, message: 'No credential may be passed here.' }],
  });
}
