import { invalidField } from '../../common/invalid-field.js';
import type { JsonObject } from '../../common/json.js';
import type { AskInput, FormField } from './dto/ask.dto.js';
import { FIELD_ANSWER_MAX, TEXT_ANSWER_MAX } from './interaction.limits.js';

/** What goes with a kind of question, and with no other. */
const NEEDS = { choice: ['options'], form: ['fields'], text: [] } as const;
const MEMBERS = ['options', 'multiple', 'fields'] as const;

/** Keys that no answer may have, because they reach a prototype. */
const RESERVED = new Set(['constructor', 'prototype']);

/** What turns the direction of the text behind it: a question must read as it is written. */
const TURNS_TEXT = /[\u202a-\u202e\u2066-\u2069]/u;

/**
 * JSON Schema (draft 2020-12) of `{answer}` for a question. Pure.
 * @throws StewardError INVALID_ACTION_INPUT for members that do not go with the kind of question, and
 * for texts that would not read as they are written.
 */
export function answerSchema(input: AskInput): JsonObject {
  assertConsistent(input);
  assertLegible(input);
  return {
    type: 'object',
    required: ['answer'],
    additionalProperties: false,
    properties: { answer: answerOf(input) },
  };
}

function answerOf({ kind, options = [], multiple, fields = [] }: AskInput): JsonObject {
  if (kind === 'text') return { type: 'string', minLength: 1, maxLength: TEXT_ANSWER_MAX };
  if (kind === 'form') {
    return {
      type: 'object',
      required: fields.filter(({ required }) => required !== false).map(({ name }) => name),
      additionalProperties: false,
      properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    };
  }
  const option: JsonObject = { type: 'string', enum: [...options] };
  return multiple ? { type: 'array', items: option, minItems: 1, uniqueItems: true } : option;
}

function fieldSchema({ label, type, options = [] }: FormField): JsonObject {
  switch (type) {
    case 'choice':
      return { title: label, type: 'string', enum: [...options] };
    case 'date':
      return { title: label, type: 'string', format: 'date' };
    case 'string':
      return { title: label, type: 'string', maxLength: FIELD_ANSWER_MAX };
    default:
      return { title: label, type };
  }
}

function assertConsistent(input: AskInput): void {
  const { kind, fields = [] } = input;
  for (const member of NEEDS[kind]) {
    if (input[member] === undefined) {
      throw invalidField(member, `is needed by a question of kind ${kind}`);
    }
  }
  const accepted = kind === 'choice' ? ['options', 'multiple'] : kind === 'form' ? ['fields'] : [];
  const extra = MEMBERS.find((key) => input[key] !== undefined && !accepted.includes(key));
  if (extra) throw invalidField(extra, `does not go with a question of kind ${kind}`);
  const names = new Set<string>();
  for (const [index, { name, type, options }] of fields.entries()) {
    if (names.has(name)) throw invalidField(`fields.${index}.name`, 'stands twice');
    if (RESERVED.has(name)) throw invalidField(`fields.${index}.name`, 'is a reserved word');
    names.add(name);
    const choice = type === 'choice';
    if (choice === (options !== undefined)) continue;
    const message = choice ? 'is needed by a field of type choice' : 'goes with type choice only';
    throw invalidField(`fields.${index}.options`, message);
  }
}

function assertLegible({ question, options = [], fields = [] }: AskInput): void {
  const texts = [
    { path: 'question', text: question },
    ...options.map((text, index) => ({ path: `options.${index}`, text })),
    ...fields.flatMap((field, index) => [
      { path: `fields.${index}.label`, text: field.label },
      ...(field.options ?? []).map((text, at) => ({ path: `fields.${index}.options.${at}`, text })),
    ]),
  ];
  const turned = texts.find(({ text }) => TURNS_TEXT.test(text));
  if (turned) throw invalidField(turned.path, 'must not contain characters that turn text around');
}
