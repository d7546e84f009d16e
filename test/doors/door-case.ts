import type { ErrorCode } from '../../src/common/error-codes.js';

/**
 * One call with its expected outcome. `call` is what a model writes: JSON text, or an object that
 * is made into it. `{{own}}`, `{{foreign}}`, … stand for what the stage has set up: see there.
 */
export interface DoorCase {
  name: string;
  call: string | object;
  expected: 'success' | 'partial' | ErrorCode;
  /** Credential to call with; default: one that may do everything that `chat` may. */
  as?: 'readonly-profile' | 'narrow-scope' | 'expired' | 'revoked' | 'garbage' | 'bearer' | 'none';
  /** What the answer's data must contain, where success alone says too little. */
  shows?: string;
}

/** `call('calendar.read', input)` as a model writes it. */
export const call = (method: string, input?: unknown): object => {
  const [module = '', name = ''] = method.split('.');
  return { module, method: name, ...(input === undefined ? {} : { input }) };
};
