import { DataSource } from 'typeorm';
import { newId } from '../../src/common/ids.js';
import { AccessTokens } from '../../src/auth/access-tokens.js';
import { RefreshTokens } from '../../src/auth/refresh-tokens.js';
import type { ApiClient } from './api-client.js';
import type { Product } from './product.js';

/**
 * `count` more accounts, like `model` in everything but id and address: registering each would take
 * as many password hashes, and no test that needs many people is about those.
 */
export async function manyPeople(
  product: Pick<Product, 'app' | 'client'>,
  model: ApiClient,
  count: number,
): Promise<ApiClient[]> {
  const tokens = product.app.get(AccessTokens, { strict: false });
  const sessions = product.app.get(RefreshTokens, { strict: false });
  const people: ApiClient[] = [];
  for (let n = 0; n < count; n += 1) {
    const person = product.client();
    person.userId = newId('usr');
    person.email = `crowd${n}.${model.email}`;
    await product.app.get(DataSource).query(
      `INSERT INTO users (id, email, display_name, password_hash, role, timezone, locale, created_at, updated_at)
       SELECT $2, $3, display_name, password_hash, 'user', timezone, locale, created_at, updated_at
         FROM users WHERE id = $1`,
      [model.userId, person.userId, person.email],
    );
    const { sessionId } = await sessions.begin(person.userId);
    person.token = (await tokens.issue(person.userId, sessionId)).accessToken;
    people.push(person);
  }
  return people;
}
