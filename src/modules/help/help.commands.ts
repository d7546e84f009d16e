import {
  CliContext,
  CliInput,
  CliMethod,
  CliModule,
  NoInput,
  type CallContext,
} from '../../tool-router/public.js';
import {
  DescribeMethodInput,
  ListMethodsInput,
  ReadSkillInput,
  SearchInput,
} from './dto/help-input.dto.js';
import {
  MethodPageView,
  MethodView,
  SearchResultView,
  SkillListView,
  SkillView,
} from './dto/help-output.dto.js';
import { HelpService } from './help.service.js';

/** How a model finds out what it may do (PROTOCOL §2). */
@CliModule({
  name: 'help',
  description: 'What you can do here: lists and describes methods, searches, and reads skills.',
})
export class HelpCommands {
  constructor(private readonly help: HelpService) {}

  @CliMethod({
    name: 'methods',
    description: 'Lists the methods that you may call, of all modules or of one.',
    effect: 'read',
    output: MethodPageView,
    examples: [
      { title: 'Everything', input: {} },
      { title: 'One module', input: { module: 'help' } },
    ],
    summary: (_data, _input, locale) => (locale === 'zh-CN' ? '已列出可用方法' : 'Listed methods'),
  })
  methods(@CliInput() input: ListMethodsInput, @CliContext() context: CallContext): MethodPageView {
    return this.help.methods(input, context);
  }

  @CliMethod({
    name: 'describe',
    description: 'Describes one method: JSON Schema of its input, examples, effect.',
    effect: 'read',
    output: MethodView,
    examples: [{ title: 'A method', input: { module: 'help', method: 'search' } }],
    summary: (_data, input, locale) =>
      locale === 'zh-CN'
        ? `已查看方法说明：${String(input.module)}.${String(input.method)}`
        : `Described ${String(input.module)}.${String(input.method)}`,
  })
  describe(@CliInput() input: DescribeMethodInput, @CliContext() context: CallContext): MethodView {
    return this.help.describe(input, context);
  }

  @CliMethod({
    name: 'search',
    description: 'Finds methods and skills for what you want to do, in English or Chinese.',
    effect: 'read',
    output: SearchResultView,
    examples: [{ title: 'A task', input: { query: 'create a meeting' } }],
    summary: (_data, input, locale) =>
      locale === 'zh-CN' ? `已搜索：${String(input.query)}` : `Searched for ${String(input.query)}`,
  })
  search(@CliInput() input: SearchInput, @CliContext() context: CallContext): SearchResultView {
    return this.help.search(input, context);
  }

  @CliMethod({
    name: 'skills',
    description: 'Lists the skills: documents that tell how to do a kind of task.',
    effect: 'read',
    output: SkillListView,
    examples: [{ title: 'All skills', input: {} }],
    summary: (_data, _input, locale) => (locale === 'zh-CN' ? '已列出技能' : 'Listed skills'),
  })
  skills(@CliInput() _input: NoInput): SkillListView {
    return this.help.listSkills();
  }

  @CliMethod({
    name: 'skill',
    description: 'Reads one skill.',
    effect: 'read',
    output: SkillView,
    examples: [{ title: 'The calendar skill', input: { name: 'calendar' } }],
    summary: (_data, input, locale) =>
      locale === 'zh-CN' ? `已阅读技能：${String(input.name)}` : `Read skill ${String(input.name)}`,
  })
  skill(@CliInput() input: ReadSkillInput): SkillView {
    return this.help.skill(input.name);
  }
}
