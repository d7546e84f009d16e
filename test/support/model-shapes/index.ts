import { DASHSCOPE_SHAPES } from './dashscope.js';
import { DEEPSEEK_SHAPES } from './deepseek.js';
import { GATEWAY_SHAPES } from './gateways.js';
import type { ModelShape } from './model-shape.js';
import { NOISE_SHAPES } from './noise.js';
import { OLLAMA_SHAPES } from './ollama.js';
import { VLLM_SHAPES } from './vllm.js';
import { ZHIPU_SHAPES } from './zhipu.js';

export type { ModelShape } from './model-shape.js';

/** Every known way to write an answer; a new one is added here and nowhere else. */
export const MODEL_SHAPES: readonly ModelShape[] = [
  ...ZHIPU_SHAPES,
  ...DASHSCOPE_SHAPES,
  ...DEEPSEEK_SHAPES,
  ...VLLM_SHAPES,
  ...OLLAMA_SHAPES,
  ...GATEWAY_SHAPES,
  ...NOISE_SHAPES,
];
