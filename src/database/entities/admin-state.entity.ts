import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How often one kind of settings has been changed; StateWatch counts and reads it. */
@Entity('admin_states')
export class AdminStateEntity {
  @PrimaryColumn('text')
  name!: string;

  @Column('integer')
  version!: number;
}
