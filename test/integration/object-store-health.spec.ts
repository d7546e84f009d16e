import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startProduct, type Product } from '../support/product.js';
import { startS3, type TestS3 } from '../support/s3.js';

/** Away from the start: the order of these tests is the server's life. */
describe('a server whose object store comes and goes', () => {
  let s3: TestS3;
  let product: Product;

  const ready = async () => {
    const response = await fetch(`${product.url}/readyz`);
    return { status: response.status, text: await response.text() };
  };
  const logged = (text: string) => product.logs.filter((line) => line.includes(text));
  const degraded = { status: 'degraded', database: 'up', notifications: 'up', objectStore: 'down' };
  const up = { status: 'ok', database: 'up', notifications: 'up', objectStore: 'up' };

  beforeAll(async () => {
    s3 = await startS3();
    s3.proxy.fault = { kind: 'refuse' };
    product = await startProduct(s3.env);
  });

  afterAll(async () => {
    await product.close();
    await s3.close();
  });

  it('starts without it, serves, and says so', async () => {
    expect(await ready()).toEqual({ status: 200, text: JSON.stringify(degraded) });
    const person = await product.client().register();
    expect((await person.call('GET', '/calendar/events')).status).toBe(200);
  });

  it('tells the operator once why, and again when it is back', async () => {
    await ready();
    s3.proxy.fault = null;
    let answer = await ready();
    // The question that was under way when the store came back may still have been answered no.
    for (let turn = 0; turn < 50 && answer.text !== JSON.stringify(up); turn += 1) {
      await new Promise((later) => setTimeout(later, 100));
      answer = await ready();
    }
    expect(answer).toEqual({ status: 200, text: JSON.stringify(up) });
    expect(logged('The object store cannot be used')).toHaveLength(1);
    expect(logged('The object store cannot be used')[0]).toMatch(/"level":40.*ECONNREFUSED/);
    expect(logged('The object store can be used again')).toHaveLength(1);
  });

  it('stays ready while it hangs', async () => {
    s3.proxy.fault = { kind: 'hang' };
    s3.proxy.requests.length = 0;
    const answers = await Promise.all([ready(), ready(), ready()]);
    expect(answers).toEqual(answers.map(() => ({ status: 200, text: JSON.stringify(degraded) })));
    expect(s3.proxy.requests).toHaveLength(1);
  });

  it('logs no key', () => {
    expect(product.logs.length).toBeGreaterThan(0);
    expect(product.logs.join('\n')).not.toContain('S3RVER');
  });
});
