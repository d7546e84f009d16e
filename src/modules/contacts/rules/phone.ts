import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';

/** A text that can only be meant as a telephone number. */
const PHONE_LIKE = /^\+?[\d\s().\-/·（）－]{5,40}$/u;

/** Fewer digits are a room, not a telephone. */
export const DIGITS_MIN = 5;
const SUFFIX_LENGTH = 8;

/** The number in E.164 (`+8613800138000`), or null when it is no valid one. */
export function toE164(text: string, region: CountryCode): string | null {
  const number = parsePhoneNumberFromString(text.normalize('NFKC'), region);
  return number?.isValid() ? number.number : null;
}

/** The digits of a text, full-width ones too. */
export function digitsOf(text: string): string {
  return text.normalize('NFKC').replace(/\D+/g, '');
}

export function isPhoneLike(text: string): boolean {
  const plain = text.normalize('NFKC').trim();
  return PHONE_LIKE.test(plain) && digitsOf(plain).length >= DIGITS_MIN;
}

/** The end of a number, which is the same with and without country and trunk prefix. */
export function phoneSuffix(digits: string): string {
  return digits.slice(-SUFFIX_LENGTH);
}

/** Whether two numbers are the same one written with more or less in front. */
export function sameLine(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short.length >= 7 && long.endsWith(short.replace(/^0+/, ''));
}
