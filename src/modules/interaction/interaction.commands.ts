import { isJsonObject } from '../../common/json.js';
import {
  CliContext,
  CliInput,
  CliMethod,
  CliModule,
  InputRequired,
  type CallContext,
} from '../../tool-router/public.js';
import { answerSchema } from './answer-schema.js';
import { AskInput, AskOutput } from './dto/ask.dto.js';
import { EXAMPLES } from './interaction.examples.js';

/** What a model does not know and a person does. */
@CliModule({
  name: 'interaction',
  description: 'Asks the user a question and waits for the answer.',
})
export class InteractionCommands {
  @CliMethod({
    name: 'ask',
    description:
      'Asks the user: a choice of options, a form with fields, or free text. The conversation waits for the answer. Use it when you cannot go on without knowing; never ask for passwords or tokens, such answers are refused.',
    effect: 'read',
    output: AskOutput,
    examples: EXAMPLES,
    summary: (data, input, locale) => {
      const zh = locale === 'zh-CN';
      const question = String(input.question);
      if (isJsonObject(data) && data.declined === true) {
        return zh ? `用户未作答：${question}` : `Not answered: ${question}`;
      }
      return zh ? `用户已作答：${question}` : `Answered: ${question}`;
    },
  })
  ask(@CliInput() input: AskInput, @CliContext() { answer }: CallContext): AskOutput {
    const schema = answerSchema(input);
    if (!answer) throw new InputRequired({ message: input.question, schema });
    return answer.declined ? { declined: true } : { answer: answer.value.answer ?? null };
  }
}
