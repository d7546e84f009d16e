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
      const about = typeof input.question === 'string' ? input.question : '';
      const declined = isJsonObject(data) && data.declined === true;
      const [did, colon] = zh
        ? [declined ? '用户未作答' : '用户已作答', '：']
        : [declined ? 'Not answered' : 'Answered', ': '];
      return about === '' ? did : `${did}${colon}${about}`;
    },
  })
  ask(@CliInput() input: AskInput, @CliContext() { answer }: CallContext): AskOutput {
    const schema = answerSchema(input);
    if (!answer) throw new InputRequired({ message: input.question, schema });
    return answer.declined ? { declined: true } : { answer: answer.value.answer ?? null };
  }
}
