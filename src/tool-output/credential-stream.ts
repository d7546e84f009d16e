import { REDACTED, headerStart, redactProse } from './credential-text.js';
import { openKeyStart } from './open-key.js';

/** Characters that are held back at most: one run of them that is longer is taken for a token. */
const MAX_HELD = 16_384;

/** A bearer header that the end of a text may be the beginning of. */
const OPEN_BEARER = /\bb(?:e(?:a(?:r(?:e(?:r(?:\s+[\w.~+/-]*=*)?)?)?)?)?)?$/i;

/** What the decoded beginning of a JOSE header looks like, however short. */
const HEADER_BEGINNING = /^[ \t\r\n]*(?:\{[ \t\r\n]*(?:"|$)|$)/;

/** First characters of base64url text whose first byte is `{` or white space. */
const FIRST_OF_HEADER = /^[eICD]/;

const TOKEN_CHARACTER = /[\w.-]/;
const REST_OF_TOKEN = /^[\w.~+/=-]*/;

/** Where in the unfinished `part` of a token a header may begin; -1 when none can. */
function openHeaderStart(part: string): number {
  const bytes = Buffer.from(part.slice(0, 64), 'base64url').toString('latin1');
  if (FIRST_OF_HEADER.test(part) && HEADER_BEGINNING.test(bytes)) return 0;
  const at = part.indexOf('eyJ');
  return at === -1 ? part.search(/ey?$/) : at;
}

/** Where at the end of `text` a JWT may have begun; its length when none has. */
function openTokenStart(text: string): number {
  let offset = text.length;
  while (offset > 0 && TOKEN_CHARACTER.test(text.charAt(offset - 1))) offset -= 1;
  const parts = text.slice(offset).split('.');
  for (const [index, part] of parts.entries()) {
    const at = index === parts.length - 1 ? openHeaderStart(part) : headerStart(part);
    if (at !== -1) return offset + at;
    offset += part.length + 1;
  }
  return text.length;
}

/**
 * Redacts JWTs, bearer headers and keys of known issuers in a text that arrives in pieces, wherever it is split. Only the
 * end of the text that may be the beginning of a token is held back, in prose a letter or two until
 * the next piece; a text without a token comes out as it went in.
 */
export class CredentialStream {
  private held = '';
  /** Stands for what was let go before `held`: what is glued to a word begins nothing. */
  private glue = '';
  private swallowing = false;

  /** Takes a piece. @returns what may be shown now. */
  push(piece: string): string {
    let rest = piece;
    if (this.swallowing) {
      rest = piece.replace(REST_OF_TOKEN, '');
      this.swallowing = rest === '';
    }
    this.held += rest;
    const text = this.glue + this.held;
    const open = [text.search(OPEN_BEARER), openKeyStart(text)].filter((at) => at !== -1);
    const from = Math.min(openTokenStart(text), ...open);
    const shown = this.letGo(from - this.glue.length);
    if (this.held.length <= MAX_HELD) return shown;
    this.held = '';
    this.glue = '';
    this.swallowing = true;
    return shown + REDACTED;
  }

  /** The text is over. @returns what was held back. */
  flush(): string {
    return this.letGo(this.held.length);
  }

  private letGo(length: number): string {
    if (length <= 0) return '';
    const { glue } = this;
    const shown = redactProse(glue + this.held.slice(0, length)).slice(glue.length);
    const last = this.held.charAt(length - 1);
    this.glue = /[\w-]/.test(last) ? (last === '-' ? '-' : '_') : '';
    this.held = this.held.slice(length);
    return shown;
  }
}
