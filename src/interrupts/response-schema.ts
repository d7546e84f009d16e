import { compileSchema } from '../common/compile-schema.js';
import type { JsonObject, JsonValue } from '../common/json.js';
import type { Locale } from '../common/locale.js';
import type { InputIssue } from '../common/steward-error.js';
import type { SchemaFault } from '../tool-router/input/input-schema.js';
import { schemaIssues } from '../tool-router/input/schema-issues.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** True for a day that exists, as `YYYY-MM-DD`. */
function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const WORDS: Readonly<
  Record<Locale, Readonly<Record<'approved' | 'editedArgs' | 'reason' | 'always', string>>>
> = {
  en: {
    approved: 'Whether the call may run.',
    editedArgs: 'The whole input to run instead; checked like any other input.',
    reason: 'Why not, for the model.',
    always: 'Allow this method from now on without asking.',
  },
  'zh-CN': {
    approved: '是否允许执行。',
    editedArgs: '改用的完整输入，与其他输入一样会被校验。',
    reason: '不允许的原因，会告诉模型。',
    always: '以后执行此方法不再询问。',
  },
};

/** JSON Schema (draft 2020-12) of the answer to an approval. */
export function approvalSchema(options: {
  /** Whether the person may allow the method from now on. */
  standing: boolean;
  /** Of the descriptions, which clients show beside the fields of their form. */
  locale: Locale;
}): JsonObject {
  const words = WORDS[options.locale];
  return {
    $schema: DIALECT,
    type: 'object',
    required: ['approved'],
    additionalProperties: false,
    properties: {
      approved: { type: 'boolean', description: words.approved },
      editedArgs: {
        type: 'object',
        description: words.editedArgs,
      },
      reason: { type: 'string', maxLength: 500, description: words.reason },
      ...(options.standing && {
        always: { type: 'boolean', description: words.always },
      }),
    },
  };
}

/** JSON Schema of the answer to a question, of which the asking method gave the shape. */
export function questionSchema(schema: JsonObject): JsonObject {
  return { $schema: DIALECT, ...schema };
}

/**
 * What of an answer does not fit its schema; none when it fits.
 * @throws Error when the schema is none.
 */
export function answerIssues(schema: JsonObject, answer: JsonValue): InputIssue[] {
  const validate = compileSchema(schema, { date: isDate });
  if (validate(answer)) return [];
  const faults: SchemaFault[] = validate.errors ?? [];
  const issues = schemaIssues(faults);
  return issues.length > 0 ? issues : [{ path: '', message: 'The answer does not fit.' }];
}
