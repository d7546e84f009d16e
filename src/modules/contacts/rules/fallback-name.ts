import type { ContactContent } from '../contact-facts.js';
import { NAME_MAX } from '../contacts.limits.js';
import { head } from './fold.js';
import { tidyLine } from './tidy.js';

/** What a contact without a name is called: by its parts, or the next best thing; null for nothing. */
export function fallbackName(content: ContactContent): string | null {
  const { family, given, middle, prefix, suffix } = content.nameParts;
  const chinese = /\p{Script=Han}/u.test(`${family ?? ''}${given ?? ''}`);
  const parts = chinese ? [family, given] : [prefix, given, middle, family, suffix];
  const name = parts.filter((part) => part !== null).join(chinese ? '' : ' ');
  const first = [name, content.organization, content.aliases[0]].find((text) => text);
  const text = tidyLine(first ?? content.emails[0]?.value ?? content.phones[0]?.value);
  return text === null ? null : head(text, NAME_MAX);
}
