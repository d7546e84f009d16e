import type { ValidatorSpec } from 'envalid';

/** Variables by name, each with what it accepts, its default and its meaning. */
export type Variables = Readonly<Record<string, ValidatorSpec<unknown>>>;

/** Variables that are about one thing: a section of docs/CONFIGURATION.md, in this order. */
export interface Theme {
  title: string;
  variables: Variables;
  /** Variables whose values never appear in a message or a log. */
  secrets?: readonly string[];
}

/** A theme whose variables keep their types, and whose secrets are variables of its own. */
export function defineTheme<V extends Variables>(
  theme: Theme & { variables: V; secrets?: readonly (keyof V & string)[] },
): Theme & { variables: V } {
  return theme;
}
