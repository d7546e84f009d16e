import { IsIn, IsInt, Max, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { QueryInteger } from '../../../common/query-values.js';
import { LABEL_MAX, PAGE_DEFAULT, PAGE_MAX, QUERY_MAX } from '../contacts.limits.js';
import { ContactIdField, MayBeAbsent, TextField } from './fields.js';

export const READ_MODES = ['list', 'search', 'resolve', 'contact', 'duplicates'] as const;
export type ReadMode = (typeof READ_MODES)[number];

/** Which contacts are listed; shared by `contacts.read` and the REST list. */
export class ContactPageInput {
  @MayBeAbsent()
  @TextField({ min: 1, max: LABEL_MAX, description: 'Only contacts of this group.' })
  group?: string;

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(PAGE_MAX)
  @JSONSchema({ description: `Contacts on a page. Default ${PAGE_DEFAULT}.` })
  limit?: number;

  @MayBeAbsent()
  @TextField({ min: 1, max: 2_000, description: 'nextCursor of the page before.' })
  cursor?: string;
}

/** Input of `contacts.read`. */
export class ReadContactsInput extends ContactPageInput {
  @IsIn(READ_MODES)
  @JSONSchema({
    description:
      'resolve: who is meant by query (a name, 王总, nickname, pinyin or initials, email, number, with typos). search: all contacts with the words of query in them. list: all, by name. contact: one, by contact_id. duplicates: contacts that may be the same person.',
  })
  mode!: ReadMode;

  @MayBeAbsent()
  @TextField({ min: 1, max: QUERY_MAX, description: 'Modes resolve and search.' })
  query?: string;

  @MayBeAbsent()
  @ContactIdField()
  contact_id?: string;
}

/** Query of the REST list: with `query` a search, without it everybody. */
export class ListContactsQuery extends ContactPageInput {
  @MayBeAbsent()
  @TextField({ min: 1, max: QUERY_MAX })
  query?: string;

  @QueryInteger()
  declare limit?: number;
}

/** Query of the REST resolve. */
export class ResolveContactQuery {
  @TextField({ min: 1, max: QUERY_MAX })
  query!: string;
}

/** Query of the REST duplicates. */
export class DuplicatesQuery {
  @MayBeAbsent()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(PAGE_MAX)
  limit?: number;

  @MayBeAbsent()
  @TextField({ min: 1, max: 200 })
  cursor?: string;
}
