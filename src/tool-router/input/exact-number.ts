/** The number grammar of JSON (RFC 8259 §6): no `0x`, no leading `+` or zeros, no `Infinity`. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+$/;

const MAX_LENGTH = 400;
/** No double needs more significant digits to be told from every other. */
const MAX_DIGITS = 17;

/** A decimal as significant digits and exponent, so that equal values are equal. */
function normalize(text: string): { digits: string; exponent: number } {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = (whole + fraction).replace(/^0+/, '');
  const significant = all.replace(/0+$/, '');
  if (significant === '') return { digits: '', exponent: 0 };
  return {
    digits: sign + significant,
    exponent: Number(power) - fraction.length + (all.length - significant.length),
  };
}

/**
 * The number that `text` stands for, when a double holds it without loss (PROTOCOL §6): an integer
 * exactly or as JavaScript writes it, a fraction to every digit that is written. Null otherwise: `9007199254740993`, `1e400`,
 * `1e-400`, `0x10`, ` 5 `, ''. `-0` is 0, as it will be in the JSON of the record.
 */
export function exactNumber(text: string): number | null {
  if (text.length > MAX_LENGTH || !JSON_NUMBER.test(text)) return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return null;
  if (INTEGER.test(text)) {
    return BigInt(text) === BigInt(value) || String(value) === text ? value + 0 : null;
  }
  const written = normalize(text);
  const precision = Math.min(Math.max(written.digits.replace('-', '').length, 1), MAX_DIGITS);
  const held = normalize(value.toPrecision(precision));
  return held.digits === written.digits && held.exponent === written.exponent ? value + 0 : null;
}
