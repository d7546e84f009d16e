import { Inject, Injectable, Logger } from '@nestjs/common';
import { within } from '../../common/within.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import type { Attachment, NewThreadMessage } from '../../threads/thread-message.js';
import type { ContentPart } from '../models/chat-model.js';
import { attachmentParts } from './attachment-part.js';
import { AttachmentService } from './attachment.service.js';
import { AttachmentRepository } from './attachment.repository.js';

/** Bytes of files that are read for one run; older ones are only named. */
const CONTENTS_MAX_BYTES = 16 * 1024 * 1024;
/** Milliseconds that a file has until a model is told that it is not shown. */
const READ_TIMEOUT_MS = 10_000;

/** What a model is shown of the files that people sent with their messages. */
@Injectable()
export class MessageContents {
  private readonly logger = new Logger(MessageContents.name);

  constructor(
    @Inject(APP_CONFIG) private readonly config: Pick<AppConfig, 'MODEL_INPUT'>,
    private readonly rows: AttachmentRepository,
    private readonly attachments: AttachmentService,
  ) {}

  /**
   * The parts of each message that has attachments, by the message's id. A file that cannot be read
   * costs its content and nothing else.
   * @param newestFirst messages; the files of the first are read first.
   */
  async of(
    userId: string,
    newestFirst: readonly NewThreadMessage[],
  ): Promise<Map<string, ContentPart[]>> {
    const parts = new Map<string, ContentPart[]>();
    let bytes = 0;
    for (const message of newestFirst) {
      if (message.role !== 'user' || !message.metadata.attachments) continue;
      const found: ContentPart[] = [];
      for (const attachment of message.metadata.attachments) {
        bytes += attachment.bytes;
        const body = bytes <= CONTENTS_MAX_BYTES ? await this.read(userId, attachment) : null;
        found.push(...attachmentParts(attachment, body, this.config.MODEL_INPUT));
      }
      parts.set(message.id, found);
    }
    return parts;
  }

  private async read(userId: string, { id }: Attachment): Promise<Buffer | null> {
    try {
      const [stored] = await this.rows.owned(userId, [id]);
      if (!stored) return null;
      return await within(READ_TIMEOUT_MS, () => this.attachments.read(stored));
    } catch (error) {
      this.logger.warn(`The attachment ${id} cannot be read: ${String(error)}`);
      return null;
    }
  }
}
