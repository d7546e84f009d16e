import { isJsonObject, type JsonObject } from '../../src/common/json.js';

/** One operation of the served OpenAPI document. */
export interface ApiRoute {
  /** `POST`. */
  method: string;
  /** With its parameters: `/api/v1/agent/runs/{threadId}/events`. */
  template: string;
  /** The same with an id that nothing has in place of each parameter. */
  path: string;
  /** Names of security schemes, of which one is needed; none for a public route. */
  security: string[];
  /** Schemas of the accepted JSON bodies, references resolved; empty where JSON is not taken. */
  bodies: JsonObject[];
  /** Parameters of the query with their schemas. */
  query: { name: string; schema: JsonObject }[];
  /** Schemas of the successful JSON answers, references resolved. */
  answers: JsonObject[];
}

/** Asks the running product what it serves, so that a new route is in every test that walks them. */
export async function apiRoutes(url: string): Promise<ApiRoute[]> {
  const document: unknown = JSON.parse(await (await fetch(`${url}/openapi.json`)).text());
  const paths = memberOf(document, 'paths');
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(isJsonObject(methods) ? methods : {}).map(([method, operation]) => ({
      method: method.toUpperCase(),
      template,
      path: template.replaceAll(/\{\w+\}/g, 'none'),
      security: listOf(operation, 'security').flatMap((one) => Object.keys(one)),
      bodies: jsonSchemas(document, memberOf(operation, 'requestBody')),
      query: listOf(operation, 'parameters')
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) => ({
          name: String(parameter.name),
          schema: resolve(document, memberOf(parameter, 'schema')),
        })),
      answers: Object.entries(memberOf(operation, 'responses'))
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, response]) => jsonSchemas(document, response)),
    })),
  );
}

/** Every schema within one, itself first, with its path: `recurrence.rule`, `items[].title`. */
export function* schemasIn(schema: JsonObject, path = ''): Generator<[string, JsonObject]> {
  yield [path, schema];
  for (const [name, member] of Object.entries(memberOf(schema, 'properties'))) {
    if (isJsonObject(member)) yield* schemasIn(member, path === '' ? name : `${path}.${name}`);
  }
  if (isJsonObject(schema.items)) yield* schemasIn(schema.items, `${path}[]`);
  for (const choice of ['oneOf', 'anyOf', 'allOf']) {
    for (const one of listOf(schema, choice)) yield* schemasIn(one, path);
  }
}

function jsonSchemas(document: unknown, holder: unknown): JsonObject[] {
  return Object.entries(memberOf(holder, 'content'))
    .filter(([type]) => type.startsWith('application/json'))
    .map(([, media]) => resolve(document, memberOf(media, 'schema')))
    .flatMap((schema) => [schema, ...listOf(schema, 'oneOf'), ...listOf(schema, 'anyOf')])
    .filter(({ oneOf, anyOf }) => oneOf === undefined && anyOf === undefined);
}

/** The schema with its references replaced; one that names itself is cut at its second time. */
function resolve(document: unknown, schema: JsonObject, seen: string[] = []): JsonObject {
  const { $ref: reference } = schema;
  if (typeof reference !== 'string') return resolveMembers(document, schema, seen);
  if (seen.includes(reference)) return {};
  const names = reference.split('/').slice(1);
  const found = names.reduce<unknown>((at, name) => memberOf(at, name), document);
  return isJsonObject(found) ? resolve(document, found, [...seen, reference]) : {};
}

function resolveMembers(document: unknown, schema: JsonObject, seen: string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      if (Array.isArray(value)) {
        const items = value.map((one) => (isJsonObject(one) ? resolve(document, one, seen) : one));
        return [name, items];
      }
      return [name, isJsonObject(value) ? resolve(document, value, seen) : value];
    }),
  );
}

function memberOf(holder: unknown, name: string): JsonObject {
  const value = isJsonObject(holder) ? holder[name] : undefined;
  return isJsonObject(value) ? value : {};
}

function listOf(holder: unknown, name: string): JsonObject[] {
  const value = isJsonObject(holder) ? holder[name] : undefined;
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
