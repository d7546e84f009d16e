/** What a module may use of the router; everything else in this folder is the router's own. */
export {
  CliContext,
  CliInput,
  CliMethod,
  CliModule,
  DescribesCall,
  type CliMethodOptions,
  type CliModuleOptions,
} from './decorators.js';
export type { CallContext, Door } from './call-context.js';
export type {
  CapabilityDescriptor,
  CapabilityExample,
  Effect,
  Risk,
  SummaryTemplate,
  UiTemplate,
} from './capability.js';
export { CAPABILITY_CATALOG, type CapabilityCatalog } from './capability-catalog.js';
export { InputRequired, type PersonAnswer, type Question } from './input-required.js';
export { NoInput } from './input/no-input.js';
export { PartialResult } from './partial-result.js';
export {
  SKILL_CATALOG,
  type Skill,
  type SkillCatalog,
  type SkillSummary,
} from './skill-catalog.js';
