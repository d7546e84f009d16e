import type { ApiBodyOptions, ApiPropertyOptions } from '@nestjs/swagger';
import {
  MAX_CLIENT_TOOLS,
  MAX_DESCRIPTION_LENGTH,
} from '../../../tool-router/client-tools/client-tool.js';

type SchemaOf<T> = T extends { schema: infer S } ? S : never;

/** `tools` of a run: AG-UI's Tool, of both its versions. */
const DESCRIBED = {
  type: 'array' as const,
  description:
    'Tools of the client: the agent may call them as methods of the module `client`; the run then ends and waits until the client sends what they gave.',
  maxItems: MAX_CLIENT_TOOLS,
  items: {
    type: 'object',
    required: ['name'] as string[],
    properties: {
      name: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
      description: { type: 'string', maxLength: MAX_DESCRIPTION_LENGTH },
      parameters: {
        type: 'object',
        description: 'JSON Schema (draft 2020-12) of an object, without references to elsewhere.',
        additionalProperties: true,
      },
    },
  },
};

export const CLIENT_TOOLS_SCHEMA: SchemaOf<ApiBodyOptions> = DESCRIBED;
export const CLIENT_TOOLS_PROPERTY: ApiPropertyOptions = DESCRIBED;
