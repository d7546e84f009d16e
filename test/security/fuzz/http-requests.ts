import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { damagedFile } from './hostile-files.js';
import { hostileText, hostileValue } from './hostile-values.js';
import { inputFor, type Resolve, type Schema } from './schema-input.js';

interface Parameter {
  name: string;
  in: string;
  schema?: Schema;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

/** As much of an OpenAPI document as requests are made from. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** A request before ids and cursors that are known are filled in. */
export interface FuzzedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: { text: string } | { base64: string } | null;
}

type Body = Pick<FuzzedRequest, 'headers' | 'body'>;

const text = (type: string, body: string): Body => ({
  headers: { 'content-type': type },
  body: { text: body },
});

/** A text as a path or query may carry it; half a surrogate pair has no encoding. */
const encoded = (part: unknown): string => {
  const plain = typeof part === 'string' ? part : (JSON.stringify(part) ?? '');
  return plain.startsWith('@') ? plain : encodeURIComponent(plain.toWellFormed().slice(0, 2_000));
};

function pathOf(path: string, parameters: Parameter[], resolve: Resolve): fc.Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const values = names.map((name) => inputFor({ type: 'string' }, resolve, name).map(encoded));
  const queries = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) =>
      fc.oneof(
        { weight: 2, arbitrary: fc.constant('') },
        {
          weight: 1,
          arbitrary: inputFor(schema ?? {}, resolve, name).map((v) => `&${name}=${encoded(v)}`),
        },
      ),
    );
  const extra = fc.oneof(
    { weight: 10, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc
        .tuple(hostileText, hostileText)
        .map(([name, value]) => `&${encoded(name)}=${encoded(value)}`),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('&a[b][c]=1', '&limit=1&limit=2', '&%', '&__proto__[x]=1'),
    },
  );
  return fc.tuple(fc.tuple(...values), fc.tuple(...queries), extra).map(([given, query, more]) => {
    const at = [...given];
    const search = [...query, more].join('').slice(1);
    return path.replaceAll(/\{\w+\}/g, () => at.shift() ?? '') + (search && `?${search}`);
  });
}

function jsonBody(schema: Schema, resolve: Resolve): fc.Arbitrary<Body> {
  const json = inputFor(schema, resolve).map((value) => JSON.stringify(value) ?? '');
  const zipped = (cut: number) =>
    json.map((whole): Body => {
      const bytes = gzipSync(whole);
      return {
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: { base64: bytes.subarray(0, Math.ceil(bytes.length * cut)).toString('base64') },
      };
    });
  return fc.oneof(
    { weight: 14, arbitrary: json.map((body) => text('application/json', body)) },
    { weight: 1, arbitrary: hostileValue.map((v) => text('application/json', JSON.stringify(v))) },
    { weight: 1, arbitrary: hostileText.map((body) => text('application/json', body)) },
    { weight: 1, arbitrary: json.map((body) => text('application/json', body.slice(0, -1))) },
    {
      weight: 1,
      arbitrary: json.map((body) => text('application/json', body.replace('{', '{"a":1,"a":2,'))),
    },
    { weight: 1, arbitrary: zipped(1) },
    { weight: 1, arbitrary: zipped(0.6) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom(
            'text/plain',
            'application/json; charset=utf-16',
            'application/json; charset=x-none',
            'application/x-www-form-urlencoded',
            'multipart/form-data',
            'application/vnd.api+json',
            'text/calendar',
            'garbage',
          ),
          json,
        )
        .map(([type, body]) => text(type, body)),
    },
  );
}

function multipartBody(): fc.Arbitrary<Body> {
  return fc
    .tuple(
      fc.constantFrom('file', 'other', '__proto__', 'file[0]'),
      hostileText,
      damagedFile,
      fc.constantFrom('\r\n--b--\r\n', '\r\n--b', '', '\r\n--b\r\n'),
    )
    .map(([field, name, content, end]) =>
      text(
        'multipart/form-data; boundary=b',
        `--b\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n` +
          `Content-Type: text/plain\r\n\r\n${content}${end}`,
      ),
    );
}

function bodyOf({ requestBody }: Operation, resolve: Resolve): fc.Arbitrary<Body> {
  const contents = Object.entries(requestBody?.content ?? {});
  const none = fc.constant<Body>({ headers: {}, body: null });
  if (contents.length === 0) {
    return fc.oneof(
      { weight: 9, arbitrary: none },
      { weight: 1, arbitrary: jsonBody({}, resolve) },
    );
  }
  const kinds = contents.map(([type, { schema = {} }]) => {
    if (type === 'application/json') return jsonBody(schema, resolve);
    if (type === 'multipart/form-data') return multipartBody();
    return damagedFile.map((file) => text(type, file));
  });
  return fc.oneof(
    { weight: 16, arbitrary: fc.oneof(...kinds) },
    { weight: 1, arbitrary: none },
    { weight: 1, arbitrary: damagedFile.map((file) => text(contents[0]?.[0] ?? '', file)) },
  );
}

const COMMON_HEADERS = [
  'accept',
  'accept-language',
  'authorization',
  'cookie',
  'if-none-match',
  'origin',
  'range',
  'x-forwarded-for',
  'x-http-method-override',
  'x-request-id',
];

/** Headers that a route reads, and some that every server meets. */
function headersOf(parameters: Parameter[]): fc.Arbitrary<Record<string, string>> {
  const own = parameters.filter((one) => one.in === 'header').map(({ name }) => name);
  const names = [...own, ...COMMON_HEADERS];
  const value = fc.oneof(hostileText, fc.constantFrom('"1"', '1', '*/*', 'text/event-stream'));
  const pairs = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 2 });
  return pairs.map((given) =>
    Object.fromEntries(given.map(([name, said]) => [name.toLowerCase(), headerText(said)])),
  );
}

/** UTF-8 in the octets that a header line may have. */
function headerText(said: string): string {
  const octets = Buffer.from(said.toWellFormed().slice(0, 4_000)).toString('latin1');
  // The client itself refuses control characters: those go through a raw socket.
  return octets.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');
}

/** Requests for every route of the document, each near what the route wants. */
export function httpRequests(document: ApiDocument): fc.Arbitrary<FuzzedRequest> {
  const resolve: Resolve = (ref) => document.components.schemas[ref.split('/').at(-1) ?? ''];
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters = [] } = operation;
      const named = fc.oneof(
        { weight: 30, arbitrary: fc.constant(method.toUpperCase()) },
        { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PROPFIND') },
      );
      return fc
        .tuple(
          named,
          pathOf(path, parameters, resolve),
          headersOf(parameters),
          bodyOf(operation, resolve),
        )
        .map(([verb, at, headers, sent]) => ({
          method: verb,
          path: at,
          headers: { ...headers, ...sent.headers },
          body: sent.body,
        }));
    }),
  );
  return fc.oneof(...routes);
}
