import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An entry that waits for its place in the chain. */
@Entity('audit_inbox')
export class AuditInboxEntity {
  @PrimaryColumn('text')
  id!: string;

  /** The entry as JSON text, see `entryContent`. */
  @Column('text')
  content!: string;

  /** By the server that wrote it: whoever has only the database cannot put an entry in here. */
  @Column('text')
  mac!: string;
}
