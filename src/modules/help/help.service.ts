import { Inject, Injectable } from '@nestjs/common';
import { StewardError } from '../../common/steward-error.js';
import {
  CAPABILITY_CATALOG,
  SKILL_CATALOG,
  type CallContext,
  type CapabilityCatalog,
  type CapabilityDescriptor,
  type SkillCatalog,
} from '../../tool-router/public.js';
import type { DescribeMethodInput, ListMethodsInput, SearchInput } from './dto/help-input.dto.js';
import type {
  MethodPageView,
  MethodView,
  SearchHitView,
  SearchResultView,
  SkillListView,
  SkillView,
} from './dto/help-output.dto.js';
import { rank, type Searchable } from './search-ranking.js';

const PAGE_SIZE = 50;
const HITS = 8;

/** Progressive discovery (PROTOCOL §2): only what the caller may execute, or see. */
@Injectable()
export class HelpService {
  constructor(
    @Inject(CAPABILITY_CATALOG) private readonly capabilities: CapabilityCatalog,
    @Inject(SKILL_CATALOG) private readonly skills: SkillCatalog,
  ) {}

  /** @throws StewardError MODULE_NOT_FOUND for a module of which the caller may execute nothing. */
  methods(input: ListMethodsInput, context: CallContext): MethodPageView {
    const { module, cursor, limit = PAGE_SIZE } = input;
    const all = this.capabilities.methods(context);
    const wanted = module === undefined ? all : all.filter((d) => d.module === module);
    if (module !== undefined && wanted.length === 0) throw this.unknownModule(context);
    const rest = cursor === undefined ? wanted : wanted.filter(({ id }) => id > cursor);
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    return {
      methods: page.map((descriptor) => ({
        module: descriptor.module,
        method: descriptor.method,
        description: descriptor.description,
        effect: descriptor.effect,
        input: this.capabilities.compact(descriptor.inputSchema),
      })),
      count: page.length,
      ...(last && rest.length > page.length && { nextCursor: last.id }),
    };
  }

  /** @throws StewardError MODULE_NOT_FOUND, METHOD_NOT_FOUND. */
  describe({ module, method }: DescribeMethodInput, context: CallContext): MethodView {
    const descriptor = this.capabilities.method(context, module, method);
    const { version, description, effect, risk, requiresApproval, inputSchema } = descriptor;
    return {
      module,
      method,
      version,
      description,
      effect,
      risk,
      requiresApproval,
      input: this.capabilities.compact(inputSchema),
      inputSchema,
      examples: descriptor.examples.map(({ title, input }) => ({
        title,
        call: { module, method, input },
      })),
    };
  }

  search({ query, limit = HITS }: SearchInput, context: CallContext): SearchResultView {
    const methods = this.capabilities
      .methods(context)
      .map((descriptor) => ({ kind: 'method' as const, ...searchable(descriptor) }));
    const skills = this.skills
      .list()
      .map((skill) => ({ kind: 'skill' as const, ...skill, keywords: '' }));
    const items: SearchHitView[] = rank(query, [...methods, ...skills])
      .slice(0, limit)
      .map(({ kind, name, description }) => ({ kind, name, description }));
    return { items, count: items.length };
  }

  listSkills(): SkillListView {
    const skills = this.skills.list();
    return { skills, count: skills.length };
  }

  /** @throws StewardError NOT_FOUND, also for a skill that is not enabled. */
  skill(name: string): SkillView {
    const found = this.skills.get(name);
    if (!found) {
      throw new StewardError('NOT_FOUND', 'There is no such skill; help.skills lists them.', {
        allowed: this.skills
          .list()
          .map((skill) => skill.name)
          .slice(0, 20),
      });
    }
    return { name: found.name, description: found.description, content: found.body };
  }

  private unknownModule(context: CallContext): StewardError {
    return new StewardError('MODULE_NOT_FOUND', 'There is no such module.', {
      allowed: this.capabilities.modules(context).map(({ name }) => name),
    });
  }
}

function searchable(descriptor: CapabilityDescriptor): Searchable {
  const { id, description, inputSchema, examples } = descriptor;
  const keys = Object.keys(inputSchema.properties ?? {});
  const titles = examples.map(({ title }) => title);
  return { name: id, description, keywords: [...keys, ...titles].join(' ') };
}
