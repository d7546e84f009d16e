import type { JsonObject } from '../common/json.js';

/** What a method needs to know from the person on whose behalf it is called. */
export interface Question {
  /** One line that a person reads. */
  message: string;
  /** JSON Schema (draft 2020-12) of the answer: an object. */
  schema: JsonObject;
}

/** What the person said: something that fits the question's schema, or nothing. */
export type PersonAnswer = { declined: false; value: JsonObject } | { declined: true };

/**
 * Thrown by a method that cannot go on without a person. Whatever it has changed is undone, the call
 * waits (APPROVAL_REQUIRED), and once the person has answered it is executed from the beginning with
 * the same input and `context.answer`. A method may ask one question in a call.
 */
export class InputRequired extends Error {
  constructor(readonly question: Question) {
    super('A person must answer first.');
    this.name = 'InputRequired';
  }
}
