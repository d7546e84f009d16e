/**
 * A fact in the form in which a credential shows: its key as the names of members, so that
 * `wifi.password` is one however the fact is written.
 */
export function screeningForm(key: string | undefined, text: string | undefined): object {
  const value: unknown = (key ?? '')
    .split('.')
    .toReversed()
    .reduce<unknown>((inner, name) => (name === '' ? inner : { [name]: inner }), text ?? '');
  return { key: value, text: text ?? '' };
}
