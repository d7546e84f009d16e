import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assertObjectPrefix, isObjectKey, objectKey, objectPrefix } from './object-key.js';

describe('an object key', () => {
  it('says plain ids as they are', () => {
    expect(objectKey('tool-outputs', 'thr_1', 'run-2', 'CALL_3')).toBe(
      'tool-outputs/thr_1/run-2/CALL_3',
    );
    expect(isObjectKey(`${objectKey('tool-outputs', 'thr_1')}.json`)).toBe(true);
    expect(objectPrefix('tool-outputs', 'thr_1')).toBe('tool-outputs/thr_1/');
  });

  it.each(['', '.', '..', '../../etc', 'a/b', 'a:b', '~a', 'a.json', 'a b', 'a\0', '日', 'a\n'])(
    'replaces %j by a digest',
    (id) => {
      expect(objectKey('x', id, 'y')).toMatch(/^x\/~[A-Za-z0-9_-]{43}\/y$/);
    },
  );

  it('never leaves its place and never stands for two lists of ids', () => {
    const id = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('..', '~', '/'),
    );
    const ids = fc.array(id, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(ids, ids, (one, other) => {
        const key = objectKey(...one);
        expect(isObjectKey(key)).toBe(true);
        expect(key.split('/')).toHaveLength(one.length);
        expect(key === objectKey(...other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });

  it.each(['', '/', 'a/', '/a', 'a//b', 'a/../b', '.a', 'a/.b', 'a.JSON', 'a.b.c', 'é', 'a\n'])(
    '%j is none',
    (key) => {
      expect(isObjectKey(key)).toBe(false);
    },
  );

  it.each(['a', 'a/b', '../', '/', 'a//'])('%j is no prefix: whole segments only', (prefix) => {
    expect(() => assertObjectPrefix(prefix)).toThrow('A prefix of object keys is not well formed');
  });
});
