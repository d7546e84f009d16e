/** What a list shows of a skill. */
export interface SkillSummary {
  name: string;
  /** One line: when to read it. */
  description: string;
}

/** A document that tells a model how to use project_cli; it grants nothing (PROTOCOL §1). */
export interface Skill extends SkillSummary {
  /** Markdown, without the front matter. */
  body: string;
}

/** The skills that the model of the current call may see. */
export interface SkillCatalog {
  /** By name. */
  list(): SkillSummary[];
  /** Null for unknown names and for skills that are not enabled, here or for the call's run. */
  get(name: string): Skill | null;
}

/** Injection token of SkillCatalog; the skills module provides it. */
export const SKILL_CATALOG = Symbol('SKILL_CATALOG');
