import { Inject, Injectable, Logger } from '@nestjs/common';
import { within } from '../../common/within.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import type { Attachment, NewThreadMessage } from '../../threads/thread-message.js';
import type { ContentPart } from '../models/chat-model.js';
import { attachmentParts } from './attachment-part.js';
import { AttachmentService } from './attachment.service.js';
import { AttachmentRepository } from './attachment.repository.js';
import { imagesOf } from '../../tool-output/result-images.js';
import { toAttachment, type StoredAttachment } from './attachment.js';

/** Bytes of files that are read for one run; older ones are only named. */
const CONTENTS_MAX_BYTES = 16 * 1024 * 1024;
/** Milliseconds that a file has until a model is told that it is not shown. */
const READ_TIMEOUT_MS = 10_000;

/** What a model is shown of the files that people sent with their messages or that results name. */
@Injectable()
export class MessageContents {
  private readonly logger = new Logger(MessageContents.name);

  constructor(
    @Inject(APP_CONFIG) private readonly config: Pick<AppConfig, 'MODEL_INPUT'>,
    private readonly rows: AttachmentRepository,
    private readonly attachments: AttachmentService,
  ) {}

  /**
   * The parts of each message that has attachments, and of each result that names pictures, by the
   * message's id. A file that cannot be read costs its content and nothing else.
   * @param newestFirst messages; the files of the first are read first.
   */
  async of(
    userId: string,
    newestFirst: readonly NewThreadMessage[],
  ): Promise<Map<string, ContentPart[]>> {
    const parts = new Map<string, ContentPart[]>();
    let bytes = 0;
    for (const message of newestFirst) {
      if (message.role === 'tool') {
        const images = await this.ofResults(userId, [message.content]);
        if (images.length > 0) parts.set(message.id, images);
      }
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

  /**
   * The pictures that results name, as parts; those that are not the user's, or no pictures, are none.
   * @param projections what the model gets back of the calls. Never rejects.
   */
  async ofResults(userId: string, projections: readonly string[]): Promise<ContentPart[]> {
    const ids = [...new Set(projections.flatMap((projection) => imagesOf(projection)))];
    if (ids.length === 0) return [];
    const parts: ContentPart[] = [];
    for (const stored of await this.owned(userId, ids)) {
      if (!stored.mediaType.startsWith('image/')) continue;
      const body = await this.bodyOf(stored);
      parts.push(...attachmentParts(toAttachment(stored), body, this.config.MODEL_INPUT));
    }
    return parts;
  }

  private async read(userId: string, { id }: Attachment): Promise<Buffer | null> {
    const [stored] = await this.owned(userId, [id]);
    return stored ? this.bodyOf(stored) : null;
  }

  private async owned(userId: string, ids: string[]): Promise<StoredAttachment[]> {
    try {
      return await this.rows.owned(userId, ids);
    } catch (error) {
      this.logger.warn(`The attachments ${ids.join(', ')} are not found: ${String(error)}`);
      return [];
    }
  }

  private async bodyOf(stored: StoredAttachment): Promise<Buffer | null> {
    const { id } = stored;
    try {
      return await within(READ_TIMEOUT_MS, () => this.attachments.read(stored));
    } catch (error) {
      this.logger.warn(`The attachment ${id} cannot be read: ${String(error)}`);
      return null;
    }
  }
}
