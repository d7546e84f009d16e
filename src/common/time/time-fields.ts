import { applyDecorators } from '@nestjs/common';
import { IsString, ValidateBy } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { isOffsetDateTime } from '../date-times.js';
import { TextRule } from '../text-fields.js';
import { canonicalZone, zoneFault } from './zone.js';

const OffsetDateTime = TextRule(
  'isOffsetDateTime',
  isOffsetDateTime,
  'must be an ISO 8601 date-time with an offset, such as 2026-04-21T10:00:00+08:00',
);
/** ISO 8601 date-time with an offset (PROTOCOL §7). */
export function DateTimeField(description: string) {
  return applyDecorators(
    IsString(),
    OffsetDateTime(false),
    JSONSchema({ type: 'string', format: 'date-time', description }),
  );
}

/** IANA time zone; a Windows name is understood too. */
export function TimezoneField(description: string) {
  return applyDecorators(
    IsString(),
    ValidateBy({
      name: 'isIanaZone',
      validator: {
        validate: (value: unknown) => canonicalZone(value) !== null,
        defaultMessage: (facts) =>
          `$property ${zoneFault(facts?.value)} It must be an IANA time zone, such as Asia/Shanghai or Europe/Berlin`,
      },
    }),
    JSONSchema({ type: 'string', description }),
  );
}
