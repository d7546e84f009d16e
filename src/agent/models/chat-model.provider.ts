import type { FactoryProvider } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { OfflinePlanner } from '../planner/offline-planner.js';
import { CHAT_MODEL, type ChatModel } from './chat-model.js';
import { OpenAiChatModel } from './openai-chat-model.js';

/** Further tries of a request that the endpoint refused before it answered. */
const RETRIES = 2;

/** The endpoint that the configuration names, or the planner that needs none. */
export const chatModelProvider: FactoryProvider<ChatModel> = {
  provide: CHAT_MODEL,
  inject: [APP_CONFIG],
  useFactory: (config: AppConfig) => {
    const { MODEL_BASE_URL: baseUrl, MODEL_NAME: model } = config;
    if (baseUrl === undefined || model === undefined) return new OfflinePlanner();
    return new OpenAiChatModel({
      baseUrl,
      model,
      apiKey: config.MODEL_API_KEY,
      timeoutMs: config.MODEL_TIMEOUT_MS,
      retries: RETRIES,
    });
  },
};
