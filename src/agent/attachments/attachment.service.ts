import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { StewardError } from '../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { objectKey } from '../../object-store/object-key.js';
import { OBJECT_STORE, type ObjectStore } from '../../object-store/object-store.js';
import { ATTACHMENT_ROOT, ObjectDeletions } from '../../output-storage/object-deletions.js';
import type { Attachment } from '../../threads/thread-message.js';
import { toAttachment, type StoredAttachment } from './attachment.js';
import { AttachmentLinks, type AttachmentLink } from './attachment-links.js';
import { cleanName } from './attachment-name.js';
import { mediaTypeOf } from './attachment-type.js';
import { AttachmentRepository } from './attachment.repository.js';

/** Seconds that an object may wait for its row. */
const ROWLESS_SECONDS = 3_600;

/** Files that people send with their messages (PROTOCOL §11). To others than their owner there are none. */
@Injectable()
export class AttachmentService {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly rows: AttachmentRepository,
    private readonly links: AttachmentLinks,
    private readonly deletions: ObjectDeletions,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a file. Its object is written before its row; until there is one, its key stands among those
   * to be deleted, so that nothing is left behind whatever happens in between.
   * @param name as the client says it.
   * @throws StewardError INVALID_ACTION_INPUT for an empty file or a type that is not accepted;
   *   LIMIT_EXCEEDED past ATTACHMENT_MAX_BYTES or, with all others of the user,
   *   ATTACHMENT_USER_MAX_BYTES; DEPENDENCY_UNAVAILABLE, TIMEOUT when it cannot be stored.
   */
  async upload(userId: string, name: string, body: Buffer): Promise<Attachment> {
    const { ATTACHMENT_MAX_BYTES, ATTACHMENT_USER_MAX_BYTES, ATTACHMENT_TYPES } = this.config;
    if (body.length > ATTACHMENT_MAX_BYTES) {
      throw tooLarge(`A file may have ${ATTACHMENT_MAX_BYTES} bytes at most.`);
    }
    const cleaned = cleanName(name);
    const mediaType = await mediaTypeOf(body, cleaned, ATTACHMENT_TYPES);
    const id = newId('att');
    const attachment: StoredAttachment = {
      id,
      userId,
      threadId: null,
      name: cleaned,
      mediaType,
      bytes: body.length,
      sha256: createHash('sha256').update(body).digest('hex'),
      storagePath: objectKey(ATTACHMENT_ROOT, userId, id),
      createdAt: this.clock.now(),
    };
    const full = `All your files together may have ${ATTACHMENT_USER_MAX_BYTES} bytes at most.`;
    const used = await this.rows.bytesOf(userId);
    if (used + body.length > ATTACHMENT_USER_MAX_BYTES) throw tooLarge(full);
    const key = attachment.storagePath;
    await this.deletions.request([key], ROWLESS_SECONDS);
    await this.store.put(key, body, { contentType: mediaType });
    const inserted = await this.uow.run(async () => {
      await this.deletions.withdraw([key]);
      const fits = await this.rows.insertWithin(attachment, ATTACHMENT_USER_MAX_BYTES);
      if (!fits) await this.deletions.request([key]);
      return fits;
    });
    if (!inserted) throw tooLarge(full);
    return toAttachment(attachment);
  }

  /** @throws StewardError NOT_FOUND, also for another user's. */
  async link(userId: string, id: string): Promise<Attachment & AttachmentLink> {
    const [attachment] = await this.rows.owned(userId, [id]);
    if (!attachment) throw notFound();
    return { ...toAttachment(attachment), ...this.links.sign(id) };
  }

  /**
   * The attachment that a link opens, and its content.
   * @throws StewardError NOT_FOUND for a link that was not given out here, or has expired.
   */
  async open(
    id: string,
    expires: string,
    signature: string,
  ): Promise<{ attachment: StoredAttachment; body: Buffer }> {
    if (!this.links.holds(id, expires, signature)) throw notFound();
    const attachment = await this.rows.find(id);
    if (!attachment) throw notFound();
    return { attachment, body: await this.read(attachment) };
  }

  /**
   * The content, compared with its checksum.
   * @throws StewardError NOT_FOUND, TIMEOUT, DEPENDENCY_UNAVAILABLE.
   */
  async read(
    { storagePath, bytes, sha256 }: StoredAttachment,
    signal?: AbortSignal,
  ): Promise<Buffer> {
    const body = await this.store.get(storagePath, { maxBytes: bytes, ...(signal && { signal }) });
    if (createHash('sha256').update(body).digest('hex') !== sha256) {
      throw new StewardError('DEPENDENCY_UNAVAILABLE', 'The stored file is damaged.');
    }
    return body;
  }
}

function notFound(): StewardError {
  return new StewardError('NOT_FOUND', 'There is no such attachment.');
}

function tooLarge(message: string): StewardError {
  return new StewardError('LIMIT_EXCEEDED', message);
}
