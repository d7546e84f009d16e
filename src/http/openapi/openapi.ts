import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { dtoSchemas, referencesOf } from '../../common/dto-schema.js';
import type { JsonObject } from '../../common/json.js';
import { problemSchema } from './problem-schema.js';
import { queryDtoNames } from './query-parameters.js';

const DESCRIPTION = `Agent tool backend. Errors are RFC 9457 problem details with a \`code\`.
Module inputs are snake_case, everything else camelCase. Streams are described in docs/EVENTS.md.`;

interface Operation {
  operationId?: string;
  parameters?: object[];
  responses: Record<string, object>;
}

/**
 * The OpenAPI document of a built application. Schemas come from the class-validator DTOs, the same
 * that validate requests, so the document cannot promise something else.
 */
export function buildOpenApi(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Steward')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setOpenAPIVersion('3.1.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'bearer')
    .addSecurityRequirements('bearer')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) => `${controller}_${method}`,
  });
  const schemas = dtoSchemas();
  describeQueries(document, schemas, queryDtoNames(app));
  describeProblems(document);
  document.components = { ...document.components, schemas: usedSchemas(document, schemas) };
  return document;
}

/** Serves the document at /openapi.json and a reader for it at /docs. */
export function serveOpenApi(app: INestApplication): void {
  const document = buildOpenApi(app);
  const text = JSON.stringify(document);
  const server = app.getHttpAdapter();
  server.get('/openapi.json', (_request: Request, response: Response) => {
    response.type('application/json').send(text);
  });
  SwaggerModule.setup('docs', app, document, {
    customSiteTitle: 'Steward API',
    raw: false,
    swaggerOptions: { persistAuthorization: false },
  });
}

function operationsOf(document: OpenAPIObject): Operation[] {
  const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;
  return Object.values(document.paths).flatMap((path) =>
    methods.flatMap((method) => {
      const operation = path[method];
      return operation ? [operation as Operation] : [];
    }),
  );
}

function describeQueries(
  document: OpenAPIObject,
  schemas: Record<string, JsonObject>,
  dtoOf: Map<string, string>,
): void {
  for (const operation of operationsOf(document)) {
    const schema = schemas[dtoOf.get(operation.operationId ?? '') ?? ''];
    if (!schema) continue;
    const required = Array.isArray(schema.required) ? schema.required : [];
    const parameters = Object.entries((schema.properties ?? {}) as JsonObject).map(
      ([name, property]) => {
        const { description, ...rest } = (property ?? {}) as JsonObject;
        return { name, in: 'query', required: required.includes(name), description, schema: rest };
      },
    );
    operation.parameters = [...(operation.parameters ?? []), ...parameters];
  }
}

/** Every route can refuse; the shape of a refusal is said once. */
function describeProblems(document: OpenAPIObject): void {
  for (const operation of operationsOf(document)) {
    operation.responses.default ??= {
      description: 'The request was refused.',
      content: { 'application/problem+json': { schema: problemSchema } },
    };
  }
}

/** The schemas that paths refer to, directly or through others, in a stable order. */
function usedSchemas(
  document: OpenAPIObject,
  fromDtos: Record<string, JsonObject>,
): NonNullable<NonNullable<OpenAPIObject['components']>['schemas']> {
  const known = { ...document.components?.schemas, ...fromDtos };
  const used = new Map<string, (typeof known)[string]>();
  let pending = referencesOf(document.paths);
  while (pending.length > 0) {
    const fresh = pending.filter((name) => !used.has(name) && known[name]);
    for (const name of fresh) used.set(name, known[name] ?? {});
    pending = fresh.flatMap((name) => referencesOf(known[name]));
  }
  return Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1)));
}
