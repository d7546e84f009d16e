import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { imagesOf, RESULT_IMAGES_MAX } from './result-images.js';

const image = (attachmentId: unknown) => ({ type: 'image', attachmentId });

describe('the images of a result', () => {
  it.each<[unknown, string[]]>([
    [{ status: 'success', picture: image('att_1') }, ['att_1']],
    [
      { items: [{ a: image('att_2') }, image('att_1')], last: image('att_3') },
      ['att_2', 'att_1', 'att_3'],
    ],
    [{ items: [image('att_1'), image('att_1')] }, ['att_1']],
    [
      { items: Array.from({ length: 9 }, (_, n) => image(`att_${n}`)) },
      ['att_0', 'att_1', 'att_2', 'att_3'],
    ],
    [{ picture: image(7), other: { type: 'file', attachmentId: 'att_1' } }, []],
    [{ note: '{"type":"image","attachmentId":"att_1"}' }, []],
    [null, []],
  ])('%j: %j', (result, ids) => {
    expect(imagesOf(JSON.stringify(result))).toEqual(ids);
  });

  it('are none in a text that is no JSON, and few in any', () => {
    expect(imagesOf('已创建 "attachmentId"')).toEqual([]);
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, id) => {
        const ids = imagesOf(JSON.stringify([value, image(id), value]));
        expect(ids.length).toBeLessThanOrEqual(RESULT_IMAGES_MAX);
      }),
    );
  });
});
