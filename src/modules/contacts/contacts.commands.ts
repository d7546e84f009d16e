import {
  CliContext,
  CliInput,
  CliMethod,
  CliModule,
  DescribesCall,
  type CallContext,
} from '../../tool-router/public.js';
import { ContactsReadingService } from './contacts-reading.service.js';
import { ContactsVcardService } from './contacts-vcard.service.js';
import { callerOf } from './contacts.caller.js';
import * as examples from './contacts.examples.js';
import { ContactsService } from './contacts.service.js';
import { readCard } from './contacts.ui.js';
import {
  CreateContactInput,
  DeleteContactInput,
  MergeContactsInput,
  UpdateContactInput,
} from './dto/contact-input.dto.js';
import { ReadContactsOutput } from './dto/contact-view.dto.js';
import { ReadContactsInput } from './dto/read-input.dto.js';
import {
  ExportContactsInput,
  ExportContactsOutput,
  ImportContactsInput,
  ImportContactsOutput,
} from './dto/vcard.dto.js';
import {
  CreateContactOutput,
  DeleteContactOutput,
  MergeContactsOutput,
  UpdateContactOutput,
} from './dto/write-output.dto.js';
import { textsOf } from './ui/card-texts.js';
import { changeText } from './ui/change-text.js';

/** The address book as project_cli shows it; every rule is in the services. */
@CliModule({
  name: 'contacts',
  description:
    "The user's address book: find who is meant by a name, nickname, number or email; create, update, delete, merge, import and export contacts.",
})
export class ContactsCommands {
  constructor(
    private readonly reading: ContactsReadingService,
    private readonly contacts: ContactsService,
    private readonly vcards: ContactsVcardService,
  ) {}

  @CliMethod({
    name: 'read',
    description:
      'Finds contacts. resolve tells who a name, 王总, nickname, pinyin, initials, email or number means, and says ambiguous with candidates when several fit. search and list page by nextCursor. contact gives everything about one. duplicates gives contacts that may be one person.',
    effect: 'read',
    output: ReadContactsOutput,
    examples: examples.READ,
    ui: readCard,
  })
  read(@CliInput() input: ReadContactsInput, @CliContext() context: CallContext) {
    return this.reading.read(input, callerOf(context));
  }

  @CliMethod({
    name: 'create',
    description:
      'Creates a contact from a name, or anything to call it by. possibleDuplicates names contacts that share an email, a number or the name.',
    effect: 'write',
    output: CreateContactOutput,
    examples: examples.CREATE,
  })
  create(@CliInput() input: CreateContactInput, @CliContext() context: CallContext) {
    return this.contacts.create(input, callerOf(context));
  }

  @CliMethod({
    name: 'update',
    description:
      'Changes the fields given and leaves the others. An empty text removes a field. add and remove change single entries of emails, phones, addresses, urls, aliases and groups; a list given directly replaces the whole list. expected_version guards against changes by others.',
    effect: 'write',
    output: UpdateContactOutput,
    examples: examples.UPDATE,
  })
  update(@CliInput() input: UpdateContactInput, @CliContext() context: CallContext) {
    return this.contacts.update(input, callerOf(context));
  }

  @CliMethod({
    name: 'delete',
    description: 'Deletes a contact. It cannot be undone.',
    effect: 'write',
    risk: 'high',
    output: DeleteContactOutput,
    examples: examples.DELETE,
  })
  delete(@CliInput() input: DeleteContactInput, @CliContext() context: CallContext) {
    return this.contacts.delete(input, callerOf(context));
  }

  @CliMethod({
    name: 'merge',
    description:
      'Merges other contacts into one and deletes them. Nothing is lost: lists are united, other names become aliases, notes are put together, what differs otherwise is kept under more.',
    effect: 'write',
    risk: 'high',
    output: MergeContactsOutput,
    examples: examples.MERGE,
  })
  merge(@CliInput() input: MergeContactsInput, @CliContext() context: CallContext) {
    return this.contacts.merge(input, callerOf(context));
  }

  @CliMethod({
    name: 'import',
    description:
      'Imports the text of a vCard file: all of it or nothing, with line and reason. Importing the same file again changes nothing.',
    effect: 'write',
    timeoutMs: 60_000,
    output: ImportContactsOutput,
    examples: examples.IMPORT,
  })
  import(@CliInput() input: ImportContactsInput, @CliContext() context: CallContext) {
    return this.vcards.import(input.vcard, callerOf(context));
  }

  @CliMethod({
    name: 'export',
    description:
      'Writes contacts as vCard 4.0 or 3.0: those of contact_ids, of a group, or all by pages.',
    effect: 'read',
    output: ExportContactsOutput,
    examples: examples.EXPORT,
  })
  export(@CliInput() input: ExportContactsInput, @CliContext() context: CallContext) {
    return this.vcards.export(input, callerOf(context));
  }

  @DescribesCall('create')
  async describeCreate({ name }: CreateContactInput): Promise<string | null> {
    return name ?? null;
  }

  @DescribesCall('delete')
  async describeContact(input: { contact_id: string }, context: CallContext): Promise<string> {
    return (await this.reading.get(input.contact_id, callerOf(context))).name;
  }

  @DescribesCall('update')
  async describeUpdate(input: UpdateContactInput, context: CallContext): Promise<string> {
    return `${await this.describeContact(input, context)}${changeText(input, context.locale)}`;
  }

  @DescribesCall('merge')
  async describeMerge(input: MergeContactsInput, context: CallContext): Promise<string> {
    const [kept = '', ...others] = await this.reading.names(
      [input.contact_id, ...input.other_ids],
      callerOf(context),
    );
    return `${kept} ← ${others.join(textsOf(context.locale).comma)}`;
  }
}
