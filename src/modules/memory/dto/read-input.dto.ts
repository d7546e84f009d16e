import { Equals, IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { QueryBoolean, QueryInteger } from '../../../common/query-values.js';
import { PAGE_DEFAULT, PAGE_MAX, QUERY_MAX } from '../memory.limits.js';
import { FactIdField, KeyField, MayBeAbsent, TextField } from './fields.js';

export const READ_MODES = ['list', 'search', 'item'] as const;
export type ReadMode = (typeof READ_MODES)[number];

/** Which facts, and which page of them; shared by `memory.read` and the REST list. */
export class FactListFields {
  @MayBeAbsent()
  @TextField({
    min: 1,
    max: QUERY_MAX,
    description: 'Mode search: words in Chinese or English; the best match comes first.',
  })
  query?: string;

  @MayBeAbsent()
  @KeyField('Mode list: only facts of this key. Mode item: the key, with its history.')
  key?: string;

  @MayBeAbsent()
  @IsBoolean()
  @JSONSchema({ description: 'True: also facts that have expired. Default false.' })
  include_expired?: boolean;

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(PAGE_MAX)
  @JSONSchema({ description: `Facts on a page. Default ${PAGE_DEFAULT}.` })
  limit?: number;

  @MayBeAbsent()
  @TextField({ min: 1, max: 200, description: 'nextCursor of the page before.' })
  cursor?: string;
}

/** Input of `memory.read`. */
export class ReadMemoryInput extends FactListFields {
  @IsIn(READ_MODES)
  @JSONSchema({
    description:
      'list: the newest first. search: needs query. item: needs fact_id or key; also gives earlier values.',
  })
  mode!: ReadMode;

  @MayBeAbsent()
  @FactIdField()
  fact_id?: string;
}

/** Query of `GET /memories`: a search with `query`, else a list. */
export class ListMemoriesQuery extends FactListFields {
  @QueryInteger()
  declare limit?: number;

  @QueryBoolean()
  declare include_expired?: boolean;
}

/** Query of `DELETE /memories`. */
export class EraseMemoriesQuery {
  @Equals('everything', { message: 'confirm must be everything: all that is remembered is erased' })
  @JSONSchema({ type: 'string', enum: ['everything'], description: 'Says that it is meant.' })
  confirm!: 'everything';
}
