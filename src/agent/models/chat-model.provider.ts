import type { FactoryProvider } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { OfflinePlanner } from '../planner/offline-planner.js';
import { CHAT_MODEL, FALLBACK_MODEL, type ChatModel } from './chat-model.js';
import { OpenAiChatModel } from './openai-chat-model.js';

/** The endpoint that the configuration names, or the planner that needs none. */
export const chatModelProvider: FactoryProvider<ChatModel> = {
  provide: CHAT_MODEL,
  inject: [APP_CONFIG],
  useFactory: (config: AppConfig) => {
    const { MODEL_BASE_URL: baseUrl, MODEL_NAME: model } = config;
    if (baseUrl === undefined || model === undefined) return new OfflinePlanner();
    return new OpenAiChatModel({
      ...patience(config),
      baseUrl,
      model,
      apiKey: config.MODEL_API_KEY,
      extraBody: config.MODEL_EXTRA_BODY ?? {},
    });
  },
};

/** The model that takes over when the first cannot be had; null where none is named. */
export const fallbackModelProvider: FactoryProvider<ChatModel | null> = {
  provide: FALLBACK_MODEL,
  inject: [APP_CONFIG],
  useFactory: (config: AppConfig) => {
    const { MODEL_FALLBACK_NAME: model, MODEL_FALLBACK_BASE_URL: other } = config;
    const baseUrl = other ?? config.MODEL_BASE_URL;
    if (baseUrl === undefined || model === undefined) return null;
    return new OpenAiChatModel({
      ...patience(config),
      baseUrl,
      model,
      // A key goes to the endpoint that it was given for, and to no other.
      apiKey: config.MODEL_FALLBACK_API_KEY ?? (other ? undefined : config.MODEL_API_KEY),
      extraBody: other ? {} : (config.MODEL_EXTRA_BODY ?? {}),
    });
  },
};

function patience(config: AppConfig) {
  return {
    firstByteTimeoutMs: config.MODEL_FIRST_BYTE_TIMEOUT_MS,
    timeoutMs: config.MODEL_TIMEOUT_MS,
    returnReasoning: config.MODEL_RETURN_REASONING,
  };
}
