import { applyDecorators } from '@nestjs/common';
import { IsNumber, IsString, Max, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { isOffsetDateTime } from '../../../common/date-times.js';
import { TextField, TextRule } from '../../../common/text-fields.js';
import { KEY_MAX } from '../memory.limits.js';
import { normalKey } from '../rules/normal.js';

export { MayBeAbsent, TextField } from '../../../common/text-fields.js';

/** A key; `removable` also takes '', which removes it. */
export function KeyField(description: string, removable = false) {
  return applyDecorators(
    IsString(),
    TextRule(
      'isMemoryKey',
      (value) => (removable && value === '') || normalKey(value) !== null,
      `must be a short name of letters, digits, . _ and -, at most ${KEY_MAX} characters, such as preference.drink`,
    )(false),
    JSONSchema({ type: 'string', description }),
  );
}

/** ISO 8601 date-time with an offset (PROTOCOL §7); '' for none. */
export function ExpiryField() {
  return applyDecorators(
    IsString(),
    TextRule(
      'isExpiry',
      (value) => value === '' || isOffsetDateTime(value),
      'must be an ISO 8601 date-time with an offset, such as 2026-04-21T10:00:00+08:00, or empty for never',
    )(false),
    JSONSchema({
      type: 'string',
      description:
        'From when on the fact does not hold any more, ISO 8601 with offset. Empty: it never expires.',
    }),
  );
}

export function ConfidenceField() {
  return applyDecorators(
    IsNumber({ allowNaN: false, allowInfinity: false }),
    Min(0),
    Max(1),
    JSONSchema({
      description:
        'How sure it is, from 0 to 1. Default: 1 for user_said, 0.8 for imported, 0.6 for agent_inferred.',
    }),
  );
}

/** Id of a fact. Its form is not checked: an unknown one is NOT_FOUND. */
export function FactIdField() {
  return TextField({ min: 1, max: 64, description: 'Id of the fact, as memory.read gives it.' });
}
