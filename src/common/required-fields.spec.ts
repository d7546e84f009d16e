import { describe, expect, it } from '@jest/globals';
import { invalidField } from './invalid-field.js';
import { refuseFields, requireField, requireOneOf } from './required-fields.js';

const OF = ['id', 'key', 'query'] as const;
type Input = Partial<Record<(typeof OF)[number], string>>;

describe('rules about which fields an input has', () => {
  it.each<[string, () => unknown, string, string]>([
    [
      'a field that is missing',
      () => requireField<Input, 'key'>({}, 'key'),
      'key',
      'key: is missing.',
    ],
    [
      'a field that would be ignored',
      () => refuseFields<Input>({ id: 'a' }, OF, 'does not go with mode list.'),
      'id',
      'id: does not go with mode list.',
    ],
    ['none of several', () => requireOneOf<Input>({}, OF), '', 'One of id, key, query is needed.'],
    [
      'two of several',
      () => requireOneOf<Input>({ id: 'a', query: 'b' }, OF),
      'query',
      'query: does not go with id; give one of them.',
    ],
  ])('name %s', (_name, rule, path, message) => {
    expect(rule).toThrow(message);
    expect(rule).toThrow(
      expect.objectContaining({
        code: 'INVALID_ACTION_INPUT',
        message,
        details: { issues: [expect.objectContaining({ path })] },
      }),
    );
  });

  it('let the right ones through', () => {
    expect(requireField<Input, 'key'>({ key: '' }, 'key')).toBe('');
    refuseFields<Input>({ key: 'a' }, ['id', 'query'], 'does not go with key.');
    requireOneOf<Input>({ key: 'a' }, OF);
  });

  it('say no path where the input as a whole is meant', () => {
    expect(invalidField('', 'The file is not utf-8 text.').message).toBe(
      'The file is not utf-8 text.',
    );
  });
});
