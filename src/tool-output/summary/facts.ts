import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json.js';
import { cleanText } from './clean-text.js';

/** Room for one value in a sentence, so that a long title leaves the rest of it readable. */
const VALUE_LENGTH = 80;

/** A value as text for a sentence; undefined when it has nothing to show. */
export function toText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return undefined;
  return cleanText(value, VALUE_LENGTH) || undefined;
}

/** What a summary may be made of: the result's data first, then the input. */
export class Facts {
  /** The data when it is an object, else empty. */
  readonly data: JsonObject;

  constructor(
    readonly whole: JsonValue,
    readonly input: JsonObject,
  ) {
    this.data = isJsonObject(whole) ? whole : {};
  }

  /** The first of `keys` that has a text, in the data, else in the input. */
  text(...keys: string[]): string | undefined {
    return this.fromData(...keys) ?? firstText(this.input, keys);
  }

  fromData(...keys: string[]): string | undefined {
    return firstText(this.data, keys);
  }

  /** Objects of the list `key`; empty when there is none. */
  list(key: string): JsonObject[] {
    const value = Array.isArray(this.whole) ? this.whole : own(this.data, key);
    return Array.isArray(value) ? value.filter(isJsonObject) : [];
  }

  /** `count` or `total` of the data, or the length of its list. */
  count(key = 'items'): number | undefined {
    for (const name of ['count', 'total']) {
      const value = own(this.data, name);
      if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
    }
    const value = Array.isArray(this.whole) ? this.whole : own(this.data, key);
    return Array.isArray(value) ? value.length : undefined;
  }

  object(key: string): JsonObject {
    const value = own(this.data, key);
    return isJsonObject(value) ? value : {};
  }
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The first of `keys` that has a text in `object`. */
export function firstText(object: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = toText(own(object, key));
    if (text !== undefined) return text;
  }
  return undefined;
}
