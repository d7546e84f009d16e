import { getSchemaPath, type ApiBodyOptions } from '@nestjs/swagger';
import { CLIENT_TOOLS_SCHEMA } from './client-tools.schema.js';
import { ResumeAnswer } from './resume-run.request.js';

type SchemaOf<T> = T extends { schema: infer S } ? S : never;

/** What of AG-UI's RunAgentInput is read; members of any version may stand beside it. */
export const AGUI_INPUT_SCHEMA: SchemaOf<ApiBodyOptions> = {
  title: 'RunAgentInput',
  type: 'object',
  description:
    'Input of an AG-UI client, version 0.0.59 or 1.0. The last user message counts; its files stand in it as data, URLs are refused. With `resume`, or `tool` messages for what it left to the client, it goes on with the run that waits.',
  required: ['messages'],
  properties: {
    threadId: { type: 'string' },
    runId: { type: 'string' },
    protocolVersion: { type: 'string', example: '1.0' },
    messages: {
      type: 'array',
      items: {
        type: 'object',
        required: ['role'],
        properties: {
          id: { type: 'string' },
          role: { type: 'string' },
          content: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }] },
          toolCallId: {
            type: 'string',
            description:
              'Of a `tool` message behind the last of the assistant: the call of a tool of the client that it is the result of.',
          },
          error: { type: 'string', description: 'Of a `tool` message: why the tool failed.' },
        },
      },
    },
    tools: CLIENT_TOOLS_SCHEMA,
    resume: {
      type: 'array',
      description: 'Answers to everything that the thread waits for (AG-UI interrupts).',
      items: { $ref: getSchemaPath(ResumeAnswer) },
    },
    forwardedProps: {
      type: 'object',
      properties: {
        profile: { type: 'string' },
        enabledSkills: { type: 'array', items: { type: 'string' } },
      },
    },
  },
};
