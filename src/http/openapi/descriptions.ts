import type { OpenAPIObject } from '@nestjs/swagger';
import { isJsonObject, type JsonObject } from '../../common/json.js';
import { ADMIN_WORDS } from './words/admin-words.js';
import { CALENDAR_WORDS } from './words/calendar-words.js';
import { PEOPLE_WORDS } from './words/people-words.js';
import { INTERRUPT_WORDS } from './words/interrupt-words.js';
import { PLATFORM_WORDS } from './words/platform-words.js';
import { SCHEDULER_WORDS } from './words/scheduler-words.js';

/** One word means one thing, so a name has one description, and a class may have another. */
const WORDS: Readonly<Record<string, string>> = {
  ...SCHEDULER_WORDS,
  ...PLATFORM_WORDS,
  ...INTERRUPT_WORDS,
  ...PEOPLE_WORDS,
  ...CALENDAR_WORDS,
  ...ADMIN_WORDS,
};

/** A member or parameter of the document with the names under which it is looked up. */
interface Place {
  /** `CreateRunRequest.message`, `GET /api/v1/contacts?query`. */
  name: string;
  keys: string[];
  holder: JsonObject;
}

/** Gives every member and parameter that does not describe itself its words. */
export function describeMembers(document: OpenAPIObject): void {
  for (const { keys, holder } of placesOf(document)) {
    if (typeof holder.description === 'string') continue;
    const key = keys.find((one) => Object.hasOwn(WORDS, one));
    if (key !== undefined) holder.description = WORDS[key] ?? '';
  }
}

/** Members and parameters that say nothing of themselves, by name; a document has none. */
export function undescribed(document: OpenAPIObject): string[] {
  return placesOf(document)
    .filter(({ holder }) => typeof holder.description !== 'string' || holder.description === '')
    .map(({ name }) => name);
}

function placesOf(document: OpenAPIObject): Place[] {
  return [...memberPlaces(document), ...parameterPlaces(document)];
}

function memberPlaces(document: OpenAPIObject): Place[] {
  return objects(document.components?.schemas).flatMap(([type, schema]) =>
    objects(schema.properties).map(([member, holder]) => ({
      name: `${type}.${member}`,
      keys: [`${type}.${member}`, member],
      holder,
    })),
  );
}

function parameterPlaces(document: OpenAPIObject): Place[] {
  return objects(document.paths).flatMap(([path, methods]) =>
    objects(methods).flatMap(([method, operation]) => {
      const parameters: unknown[] = Array.isArray(operation.parameters) ? operation.parameters : [];
      return parameters.filter(isJsonObject).map((holder) => {
        const name = String(holder.name);
        const keys = holder.in === 'query' ? [`?${name}`, name] : [name];
        return { name: `${method.toUpperCase()} ${path}?${name}`, keys, holder };
      });
    }),
  );
}

function objects(value: unknown): [string, JsonObject][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    isJsonObject(member) ? [[name, member]] : [],
  );
}
