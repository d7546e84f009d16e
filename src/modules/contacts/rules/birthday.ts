import { Temporal } from 'temporal-polyfill';

const FULL = /^(1[89]\d\d|20\d\d)-(\d\d)-(\d\d)$/;
const YEARLESS = /^--(\d\d)-(\d\d)$/;

/** A real date `YYYY-MM-DD` from 1800 on, or `--MM-DD` (29 February included). */
export function isBirthday(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  if (FULL.test(value)) return isDate(value);
  const [, month, day] = YEARLESS.exec(value) ?? [];
  return month !== undefined && isDate(`2000-${month}-${day ?? ''}`);
}

function isDate(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}

/** The birthday that a vCard BDAY says, in any of its forms; null when it is none. */
export function readBirthday(text: string, omittedYear?: string): string | null {
  const plain = text.trim().split(/[T ]/, 1)[0] ?? '';
  const [, year, month, day] = /^(\d{4}|--)-?(\d\d)-?(\d\d)$/.exec(plain) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const noYear = year === '--' || year === omittedYear;
  const birthday = noYear ? `--${month}-${day}` : `${year}-${month}-${day}`;
  return isBirthday(birthday) ? birthday : null;
}
