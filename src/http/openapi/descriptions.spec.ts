import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { describeMembers, undescribed } from './descriptions.js';

function sample(): OpenAPIObject {
  return {
    openapi: '3.1.0',
    info: { title: 'Sample', version: '1' },
    paths: {
      '/things': {
        get: {
          parameters: [
            { name: 'after', in: 'query', schema: { type: 'string' } },
            { name: 'qux', in: 'query', schema: { type: 'string' } },
          ],
          responses: {},
        },
      },
    },
    components: {
      schemas: {
        FieldChange: { type: 'object', properties: { after: { type: 'string' } } },
        CreateRunRequest: {
          type: 'object',
          properties: {
            message: { type: 'string' },
            threadId: { type: 'string', description: 'Its own words.' },
            quux: { type: 'string' },
          },
        },
        CalendarItemError: { type: 'object', properties: { message: { type: 'string' } } },
      },
    },
  };
}

describe('descriptions of the OpenAPI document', () => {
  it('are a member’s own, or those of its class, its place or its name', () => {
    const document = sample();
    describeMembers(document);
    expect(document).toMatchObject({
      paths: {
        '/things': { get: { parameters: [{ description: expect.stringContaining('event') }, {}] } },
      },
      components: {
        schemas: {
          FieldChange: { properties: { after: { description: 'Value after the change.' } } },
          CreateRunRequest: {
            properties: {
              message: { description: 'What the person says.' },
              threadId: { description: 'Its own words.' },
            },
          },
          CalendarItemError: {
            properties: { message: { description: 'What went wrong, in a sentence.' } },
          },
        },
      },
    });
    expect(undescribed(document)).toEqual(['CreateRunRequest.quux', 'GET /things?qux']);
  });

  it('leave out nothing of what is served', async () => {
    const file = join(import.meta.dirname, '../../../docs/openapi.json');
    const document = JSON.parse(await readFile(file, 'utf8')) as OpenAPIObject;
    expect(Object.keys(document.components?.schemas ?? {}).length).toBeGreaterThan(50);
    expect(undescribed(document)).toEqual([]);
  });
});
