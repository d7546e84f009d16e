import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which skills an admin lets models see: in the whole deployment, or those of one user. */
@Entity('skill_rules')
export class SkillRuleEntity {
  /** User id, or `*` for the deployment. */
  @PrimaryColumn('text')
  subject!: string;

  @Column('jsonb')
  skills!: string[];

  /** Version of all rules with which this one was last changed. */
  @Column('integer')
  version!: number;

  /** User id of the admin. */
  @Column('text', { name: 'updated_by' })
  updatedBy!: string;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
