import { isJsonObject, type JsonObject } from '../../common/json.js';
import { wordsOfMessage } from '../../common/constraint-words.js';
import type { InputIssue } from '../../common/steward-error.js';
import { memberWords } from '../schema/compact-schema.js';
import type { SchemaFault } from './input-schema.js';
import { dotted, parsePointer } from './json-path.js';
import { nearest } from './nearest.js';
import { shortValue } from './short-value.js';

/** What a bound accepts, by its keyword; the limit stands in the fault's parameters. */
const BOUNDS: Readonly<Record<string, (limit: string) => string>> = {
  minimum: (limit) => `at least ${limit}`,
  maximum: (limit) => `at most ${limit}`,
  exclusiveMinimum: (limit) => `more than ${limit}`,
  exclusiveMaximum: (limit) => `less than ${limit}`,
  minLength: (limit) => `at least ${limit} characters`,
  maxLength: (limit) => `at most ${limit} characters`,
  minItems: (limit) => `at least ${limit} items`,
  maxItems: (limit) => `at most ${limit} items`,
  minProperties: (limit) => `at least ${limit} keys`,
  maxProperties: (limit) => `at most ${limit} keys`,
};

function expectedBySchema({ keyword, params, message }: SchemaFault): string {
  const bound = Object.hasOwn(BOUNDS, keyword) ? BOUNDS[keyword] : undefined;
  if (bound) return bound(String(params.limit));
  if (keyword === 'const') return JSON.stringify(params.allowedValue);
  if (keyword === 'pattern') return `text that matches ${String(params.pattern)}`;
  if (keyword === 'uniqueItems') return 'no item twice';
  return wordsOfMessage(message ?? keyword);
}

function propertiesOf(fault: SchemaFault): JsonObject {
  const properties: unknown = isJsonObject(fault.parentSchema) ? fault.parentSchema.properties : {};
  return isJsonObject(properties) ? properties : {};
}

function unknownKey(fault: SchemaFault, path: string[]): InputIssue {
  const key = String(fault.params.additionalProperty);
  const known = Object.keys(propertiesOf(fault));
  const meant = nearest(key, known);
  return {
    path: dotted([...path, key]),
    message: meant ? `Unknown key. Did you mean "${meant}"?` : 'Unknown key.',
    expected: known.length > 0 ? `one of ${known.join(', ')}` : 'no keys',
    received: key.slice(0, 80),
  };
}

/** The fault in words; null for faults of `anyOf` and the like, whose branches are listed anyway. */
function toIssue(fault: SchemaFault): InputIssue | null {
  const path = parsePointer(fault.instancePath);
  switch (fault.keyword) {
    case 'additionalProperties':
      return unknownKey(fault, path);
    case 'required': {
      const key = String(fault.params.missingProperty);
      return {
        path: dotted([...path, key]),
        message: 'This key is required.',
        expected: memberWords(propertiesOf(fault)[key]),
        received: 'nothing',
      };
    }
    case 'type': {
      const expected = [fault.params.type].flat().join(' or ');
      return {
        path: dotted(path),
        message: `Must be ${expected}.`,
        expected,
        received: shortValue(fault.data),
      };
    }
    case 'enum':
      return {
        path: dotted(path),
        message: 'Must be one of the accepted values.',
        expected: [fault.params.allowedValues].flat().join(', '),
        received: shortValue(fault.data),
      };
    case 'anyOf':
    case 'oneOf':
    case 'if':
      return null;
    default:
      return {
        path: dotted(path),
        message: `Is not valid: ${fault.message ?? fault.keyword}.`,
        expected: expectedBySchema(fault),
        received: shortValue(fault.data),
      };
  }
}

/** Schema faults as issues that say what is accepted (PROTOCOL §5); unknown keys name the nearest. */
export function schemaIssues(faults: SchemaFault[]): InputIssue[] {
  return faults.map(toIssue).filter((issue) => issue !== null);
}
