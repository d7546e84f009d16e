import {
  A2uiMessageListSchema,
  BASIC_COMPONENTS,
  BASIC_FUNCTIONS,
  Catalog,
  DataContext,
  MessageProcessor,
  type ComponentApi,
} from '@a2ui/web_core/v0_9';
import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../../src/common/json.js';
import type { UiSchema } from '../../src/events/run-event.js';
import { BASIC_CATALOG_ID } from '../../src/tool-output/a2ui/surface-builder.js';

export interface CardButton {
  label: string;
  module: string;
  method: string;
  input: JsonObject;
}

const schemas = join(process.cwd(), 'node_modules/@a2ui/web_core/src/v0_9/schemas');
const readSchema = (name: string): object => {
  const value: unknown = JSON.parse(readFileSync(join(schemas, name), 'utf8'));
  if (!isJsonObject(value)) throw new Error(`${name} is no schema`);
  return value;
};
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(readSchema('common_types.json'));
ajv.addSchema({
  ...readSchema('catalogs/basic/catalog.json'),
  $id: 'https://a2ui.org/specification/v0_9/catalog.json',
});
const isMessage = ajv.compile(readSchema('server_to_client.json'));

const catalog = new Catalog<ComponentApi>(BASIC_CATALOG_ID, BASIC_COMPONENTS, BASIC_FUNCTIONS);

/** Feeds a stock processor, as a renderer does, and gives its surface. */
function render(schema: UiSchema, surfaceId: string) {
  const processor = new MessageProcessor([catalog]);
  processor.processMessages(A2uiMessageListSchema.parse(schema));
  const surface = processor.model.getSurface(surfaceId);
  if (!surface) throw new Error('no surface');
  return surface;
}

/** The components of a compiled card. */
export function componentsOf(schema: UiSchema): JsonObject[] {
  const update = schema[1]?.updateComponents;
  if (!isJsonObject(update) || !Array.isArray(update.components)) throw new Error('none');
  return update.components.filter(isJsonObject);
}

/**
 * Both of the protocol's own checks (JSON Schema and the stock processor), and that the tree is
 * whole: one root, every component in one place.
 * @returns the surface that a renderer would draw.
 */
export function checkCard(schema: UiSchema, surfaceId: string) {
  for (const message of schema) {
    expect(isMessage(message) ? [] : isMessage.errors).toEqual([]);
  }
  const surface = render(schema, surfaceId);
  const ids = componentsOf(schema).map((component) => component.id);
  expect(new Set(ids).size).toBe(ids.length);
  const referred = componentsOf(schema).flatMap(({ child, children }) =>
    Array.isArray(children) ? children : child === undefined ? [] : [child],
  );
  expect(new Set(referred).size).toBe(referred.length);
  expect(new Set([...referred, 'root'])).toEqual(new Set(ids));
  return surface;
}

/** The calls that the buttons of a card make, as a client resolves them when they are pressed. */
export function buttonsOf(schema: UiSchema, surfaceId: string): CardButton[] {
  const surface = render(schema, surfaceId);
  const context = new DataContext(surface, '/');
  const components = componentsOf(schema);
  return components
    .filter(({ component }) => component === 'Button')
    .map(({ id, child, action }) => {
      const resolved: unknown = context.resolveAction(
        surface.componentsModel.get(String(id))?.properties.action ?? action,
      );
      const event = isJsonObject(resolved) ? resolved.event : undefined;
      const call = isJsonObject(event) && isJsonObject(event.context) ? event.context : {};
      const { module, method, input } = call;
      if (!isJsonObject(input)) throw new Error(`The button ${String(id)} has no input.`);
      const label = components.find((component) => component.id === child)?.text;
      return { label: String(label), module: String(module), method: String(method), input };
    });
}
