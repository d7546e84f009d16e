import { startModelServer, type ModelServer } from './model-server.js';
import { startProduct, type Product } from './product.js';

/** The product with a model behind HTTP that answers as it is told, or fails. */
export interface ScriptedProduct {
  endpoint: ModelServer;
  product: Product;
  close(): Promise<void>;
}

/** Starts both. A silent model is waited for 2 s, a failing one asked twice, and runs end early. */
export async function startScriptedProduct(): Promise<ScriptedProduct> {
  const endpoint = await startModelServer();
  const product = await startProduct({
    CLI_EXECUTOR: 'inline',
    MODEL_BASE_URL: endpoint.baseUrl,
    MODEL_NAME: 'scripted',
    // Short for those that are silent, and long for those that only have a busy machine.
    MODEL_FIRST_BYTE_TIMEOUT_MS: '2000',
    MODEL_TIMEOUT_MS: '2000',
    MODEL_MAX_ATTEMPTS: '2',
    MODEL_RETRY_BASE_MS: '1',
    RUN_MAX_IDENTICAL_CALLS: '3',
    RUN_MAX_CALLS: '6',
    RUN_MAX_TOKENS: '100000',
  });
  return {
    endpoint,
    product,
    close: async () => {
      await product.close();
      await endpoint.close();
    },
  };
}
