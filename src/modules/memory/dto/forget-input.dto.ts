import { FORGET_MAX, QUERY_MAX } from '../memory.limits.js';
import { FactIdField, KeyField, MayBeAbsent, TextField } from './fields.js';

/** Input of `memory.forget`: one of fact_id, key and query. */
export class ForgetInput {
  @MayBeAbsent()
  @FactIdField()
  fact_id?: string;

  @MayBeAbsent()
  @KeyField('All facts of this key, with its earlier values.')
  key?: string;

  @MayBeAbsent()
  @TextField({
    min: 1,
    max: QUERY_MAX,
    description: `Facts that have all of these words, at most ${FORGET_MAX}.`,
  })
  query?: string;

  @MayBeAbsent()
  @TextField({
    min: 1,
    max: 64,
    description:
      'The confirm that the call without it gave: says that just the facts listed there are meant. Not needed for fact_id, nor for a key with one fact.',
  })
  confirm?: string;
}
