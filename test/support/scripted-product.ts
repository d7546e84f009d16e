import { startModelServer, type ModelServer } from './model-server.js';
import { startProduct, type Product } from './product.js';

/** The product with a model behind HTTP that answers as it is told, or fails. */
export interface ScriptedProduct {
  endpoint: ModelServer;
  product: Product;
  close(): Promise<void>;
}

/** Starts both; the model is called `scripted`. */
export async function startScriptedProduct(
  env: Record<string, string> = {},
): Promise<ScriptedProduct> {
  const endpoint = await startModelServer();
  const product = await startProduct({
    MODEL_BASE_URL: endpoint.baseUrl,
    MODEL_NAME: 'scripted',
    ...env,
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
