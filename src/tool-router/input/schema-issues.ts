import { isJsonObject } from '../../common/json.js';
import type { InputIssue } from '../../common/steward-error.js';
import type { SchemaFault } from './input-schema.js';
import { dotted, parsePointer } from './json-path.js';
import { nearest } from './nearest.js';
import { shortValue } from './short-value.js';

function unknownKey(fault: SchemaFault, path: string[]): InputIssue {
  const key = String(fault.params.additionalProperty);
  const properties: unknown = isJsonObject(fault.parentSchema) ? fault.parentSchema.properties : {};
  const known = isJsonObject(properties) ? Object.keys(properties) : [];
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
        received: shortValue(fault.data),
      };
  }
}

/** Schema faults as issues that say what is accepted (PROTOCOL §5); unknown keys name the nearest. */
export function schemaIssues(faults: SchemaFault[]): InputIssue[] {
  return faults.map(toIssue).filter((issue) => issue !== null);
}
