import { redactText } from '../../tool-output/credential-scan.js';

const MAX_LENGTH = 80;

/** What stood in the input, as text for an error: JSON, shortened, never a credential. */
export function shortValue(value: unknown): string {
  const text = value === undefined ? 'nothing' : redactText(JSON.stringify(value) ?? typeof value);
  const characters = [...text];
  return characters.length <= MAX_LENGTH ? text : `${characters.slice(0, MAX_LENGTH).join('')}…`;
}
