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

/** Who looks: on whom visibility depends. */
export interface SkillViewer {
  userId: string;
  /** Skills of the run; null for all that its user may see. */
  enabledSkills: readonly string[] | null;
}

/** The skills that somebody may see; without a viewer, the model of the current call. */
export interface SkillCatalog {
  /** By name. */
  list(viewer?: SkillViewer): SkillSummary[];
  /** Null for unknown names and for skills that are hidden: by the deployment, from the user, in the run. */
  get(name: string, viewer?: SkillViewer): Skill | null;
}

/** Injection token of SkillCatalog; the skills module provides it. */
export const SKILL_CATALOG = Symbol('SKILL_CATALOG');
