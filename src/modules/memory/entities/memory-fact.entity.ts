import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { FactSource } from '../rules/fact.js';

/**
 * A fact that holds now, unless it has expired. Its `search` column and the indexes over it are
 * written by the migration and by the repository's SQL only.
 */
@Entity('memory_facts')
@Index('memory_facts_user_updated', ['userId', 'updatedAt', 'id'])
@Index('memory_facts_user_id', { synchronize: false })
@Index('memory_facts_user_key', ['userId', 'key'], { where: 'key IS NOT NULL' })
@Index('memory_facts_user_standing', ['userId', 'updatedAt'], { where: 'standing' })
@Index('memory_facts_user_fingerprint', ['userId', 'fingerprint'])
@Index('memory_facts_search', { synchronize: false })
@Index('memory_facts_trigrams', { synchronize: false })
@Check('memory_facts_source', `source IN ('user_said', 'agent_inferred', 'imported')`)
@Check('memory_facts_confidence', `confidence >= 0 AND confidence <= 1`)
@Check('memory_facts_version', `version > 0`)
export class MemoryFact {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'memory_facts_pk' })
  id!: string;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  /** What the fact is about, as `normalKey` writes it; several facts of one key are a list. */
  @Column({ type: 'text', nullable: true })
  key!: string | null;

  @Column({ type: 'text' })
  text!: string;

  /** Hash of the text without case, width, spaces and punctuation: finds what was said before. */
  @Column({ type: 'text' })
  fingerprint!: string;

  /** Words and Chinese bigrams of key and text (`indexTerms`). */
  @Column({ type: 'tsvector', select: false })
  search!: string;

  /** About the person in general: enters every briefing for which there is room. */
  @Column({ type: 'boolean' })
  standing!: boolean;

  @Column({ type: 'text' })
  source!: FactSource;

  /** The run in which it was learned. */
  @Column({ name: 'run_id', type: 'text', nullable: true })
  runId!: string | null;

  /** From 0 to 1. */
  @Column({ type: 'double precision' })
  confidence!: number;

  /** Grows by one with every change. */
  @Column({ type: 'integer' })
  version!: number;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** Since when it says what it says now. */
  @Column({ name: 'held_from', type: 'timestamptz', precision: 3 })
  heldFrom!: Date;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** When it was last said, also where that changed nothing. */
  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}
