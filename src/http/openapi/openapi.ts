import type { INestApplication, Type } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { dtoSchemaOf, dtoSchemas, referencesOf } from '../../common/dto-schema.js';
import type { JsonObject } from '../../common/json.js';
import { describeMembers } from './descriptions.js';
import { problemSchema } from './problem-schema.js';
import { routeArguments, type RouteArguments } from './route-arguments.js';

const DESCRIPTION = `Agent tool backend. Errors are RFC 9457 problem details with a \`code\`.
Module inputs are snake_case, everything else camelCase. Streams are described in docs/EVENTS.md.`;

interface Operation {
  operationId?: string;
  parameters?: object[];
  security?: Record<string, string[]>[];
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
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'A controlled credential.' },
      'credential',
    )
    .addSecurityRequirements('bearer')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) => `${controller}_${method}`,
  });
  const routes = routeArguments(app);
  const schemas = { ...dtoSchemas(), ...bodySchemas(routes) };
  describeArguments(document, routes);
  describeProblems(document);
  document.components = { ...document.components, schemas: usedSchemas(document, schemas) };
  describeMembers(document);
  return document;
}

/** Serves the document at /openapi.json and a reader for it at /docs. */
export function serveOpenApi(app: INestApplication): void {
  // Made when somebody first asks: a start should not pay for it.
  let known: OpenAPIObject | undefined;
  const document = (): OpenAPIObject => (known ??= buildOpenApi(app));
  const server = app.getHttpAdapter();
  server.get('/openapi.json', (_request: Request, response: Response) => {
    response.type('application/json').send(JSON.stringify(document()));
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

function bodySchemas(routes: Map<string, RouteArguments>): Record<string, JsonObject> {
  const bodies = [...routes.values()].flatMap(({ body }) => (body ? [body] : []));
  return Object.fromEntries(bodies.map((type) => [type.name, dtoSchemaOf(type)]));
}

/** Parameters of path and query from their classes; public routes want no bearer token. */
function describeArguments(document: OpenAPIObject, routes: Map<string, RouteArguments>): void {
  for (const operation of operationsOf(document)) {
    const route = routes.get(operation.operationId ?? '');
    if (!route) continue;
    operation.parameters = [
      ...(operation.parameters ?? []),
      ...(route.param ? parametersOf(route.param, 'path') : []),
      ...(route.query ? parametersOf(route.query, 'query') : []),
    ];
    // The tool door is public to the bearer guard and names its own credential.
    const names = (operation.security ?? []).flatMap((entry) => Object.keys(entry));
    if (route.isPublic && !names.includes('credential')) operation.security = [];
  }
}

function parametersOf(type: Type<object>, place: 'path' | 'query'): object[] {
  const schema = dtoSchemaOf(type);
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries((schema.properties ?? {}) as JsonObject).map(([name, property]) => {
    const { description, ...rest } = (property ?? {}) as JsonObject;
    const isRequired = place === 'path' || required.includes(name);
    return { name, in: place, required: isRequired, description, schema: rest };
  });
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
    for (const name of fresh) {
      const schema = known[name] ?? {};
      if (!('properties' in schema) || Object.keys(schema.properties ?? {}).length === 0) {
        throw new Error(`OpenAPI: ${name} has no schema; give its members class-validator rules.`);
      }
      used.set(name, schema);
    }
    pending = fresh.flatMap((name) => referencesOf(known[name]));
  }
  return Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1)));
}
