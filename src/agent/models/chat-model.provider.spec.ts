import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { modelRequest } from '../../../test/support/ask-model.js';
import {
  startModelServer,
  textReply,
  type ModelServer,
} from '../../../test/support/model-server.js';
import { readConfig } from '../../config/app-config.js';
import { chatModelProvider, fallbackModelProvider } from './chat-model.provider.js';
import type { ChatModel } from './chat-model.js';

describe('the models that the configuration names', () => {
  let server: ModelServer;

  beforeAll(async () => {
    server = await startModelServer();
  });
  beforeEach(() => {
    server.requests.length = 0;
  });
  afterAll(() => server.close());

  const fallback = (env: Record<string, string>): ChatModel | null => {
    const first = { MODEL_BASE_URL: server.baseUrl, MODEL_NAME: 'a', MODEL_API_KEY: 'sk-first' };
    const made: unknown = fallbackModelProvider.useFactory(
      readConfig({ ...first, MODEL_EXTRA_BODY: '{"top_k":1}', ...env }),
    );
    return made as ChatModel | null;
  };
  const request = async (model: ChatModel | null) => {
    server.replies = [textReply('x')];
    const signal = new AbortController().signal;
    for await (const _chunk of model?.stream(modelRequest(), signal) ?? []);
    const [seen] = server.requests;
    return { ...seen, extra: seen && 'top_k' in seen.body };
  };

  it('are the planner and none when nothing is named', () => {
    expect(chatModelProvider.useFactory(readConfig({}))).toMatchObject({ name: 'offline-planner' });
    expect(fallbackModelProvider.useFactory(readConfig({}))).toBeNull();
    expect(fallback({})).toBeNull();
  });

  it('share endpoint and key where only another name is given', async () => {
    expect(await request(fallback({ MODEL_FALLBACK_NAME: 'b' }))).toMatchObject({
      authorization: 'Bearer sk-first',
      extra: true,
      body: { model: 'b' },
    });
  });

  it('never give one endpoint’s key and members to another', async () => {
    const other = { MODEL_FALLBACK_NAME: 'b', MODEL_FALLBACK_BASE_URL: server.baseUrl };
    expect(await request(fallback(other))).toMatchObject({
      authorization: 'Bearer none',
      extra: false,
    });
    server.requests.length = 0;
    expect(
      await request(fallback({ ...other, MODEL_FALLBACK_API_KEY: 'sk-second' })),
    ).toMatchObject({ authorization: 'Bearer sk-second' });
  });
});
