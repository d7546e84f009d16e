import { Injectable } from '@nestjs/common';
import { StewardError, type InputIssue } from '../../common/steward-error.js';
import type { Attachment } from '../../threads/thread-message.js';
import { toAttachment } from './attachment.js';
import { AttachmentRepository } from './attachment.repository.js';
import { AttachmentService } from './attachment.service.js';

/** A file that stands in a message itself, as AG-UI clients send it. */
export interface InlineFile {
  name: string;
  body: Buffer;
}

/** What a message brings with it. */
export interface SentFiles {
  /** Ids of attachments, and where each stands in the body. */
  ids: { id: string; path: string }[];
  files: InlineFile[];
}

/** The attachments of a new message: looked up, stored, and given to its thread. */
@Injectable()
export class MessageAttachments {
  constructor(
    private readonly rows: AttachmentRepository,
    private readonly attachments: AttachmentService,
  ) {}

  /**
   * The attachments that a message names, and those that it contains, which are stored.
   * @throws StewardError NOT_FOUND that names those that are not the user's; as `upload`.
   */
  async take(userId: string, { ids, files }: SentFiles): Promise<Attachment[]> {
    const owned = await this.rows.owned(
      userId,
      ids.map(({ id }) => id),
    );
    const byId = new Map(owned.map((attachment) => [attachment.id, toAttachment(attachment)]));
    refuse(ids.filter(({ id }) => !byId.has(id)));
    const named = ids.flatMap(({ id }) => byId.get(id) ?? []);
    const stored: Attachment[] = [];
    for (const { name, body } of files) {
      stored.push(await this.attachments.upload(userId, name, body));
    }
    return [...named, ...stored];
  }

  /**
   * Gives the attachments to the message's thread, in the transaction that stores the message.
   * @throws StewardError NOT_FOUND when one has gone, or was sent in another thread.
   */
  async claim(userId: string, attachments: Attachment[], threadId: string): Promise<void> {
    if (attachments.length === 0) return;
    const ids = attachments.map(({ id }) => id);
    const claimed = new Set(await this.rows.claim(userId, ids, threadId));
    refuse(
      ids.flatMap((id, index) => (claimed.has(id) ? [] : [{ id, path: `attachments.${index}` }])),
    );
  }
}

function refuse(missing: { id: string; path: string }[]): void {
  if (missing.length === 0) return;
  const issues = missing.map(({ id, path }): InputIssue => ({
    path,
    message: 'is not an attachment of yours, or was sent in another conversation',
    received: id,
  }));
  throw new StewardError('NOT_FOUND', 'There is no such attachment.', { issues });
}
