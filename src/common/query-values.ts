import { Transform } from 'class-transformer';

/** What JavaScript calls a number besides (`0x10`, `1e2`, ` 5 `, ``) is none in a query. */
const INTEGER = /^-?(0|[1-9]\d{0,14})$/;

/** Text of a query that is a decimal integer as a number; everything else stays as it is. */
export function integerOf(value: unknown): unknown {
  return typeof value === 'string' && INTEGER.test(value) ? Number(value) : value;
}

/** A member of a query that is an integer: `IsInt` beside it refuses what is none. */
export const QueryInteger = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => integerOf(value));

/** A member of a query that is `true` or `false`: `IsBoolean` beside it refuses what is neither. */
export const QueryBoolean = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    value === 'true' ? true : value === 'false' ? false : value,
  );
