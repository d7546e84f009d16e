import { ERROR_CODES } from '../../common/error-codes.js';

/** Shape of `ProblemDocument` (RFC 9457, PROTOCOL §11) for OpenAPI. */
export const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(ERROR_CODES) },
    requestId: { type: 'string' },
    issues: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string' },
          message: { type: 'string' },
          expected: { type: 'string' },
          received: { type: 'string' },
        },
      },
    },
    did_you_mean: { type: 'string' },
    allowed: { type: 'array', items: { type: 'string' } },
    retry_after_ms: { type: 'integer' },
  },
};
