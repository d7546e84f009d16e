import { Inject, Injectable, Logger } from '@nestjs/common';
import pLimit from 'p-limit';
import { within } from '../../common/within.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import type { NewThreadMessage } from '../../threads/thread-message.js';
import { imagesOf } from '../../tool-output/result-images.js';
import type { ContentPart } from '../models/chat-model.js';
import { toAttachment, type StoredAttachment } from './attachment.js';
import { attachmentParts } from './attachment-part.js';
import { AttachmentRepository } from './attachment.repository.js';
import { AttachmentService } from './attachment.service.js';

/** Bytes of files that are read for one context; older ones are only named. */
const CONTENTS_MAX_BYTES = 16 * 1024 * 1024;
/** Files that are read side by side. */
const READERS = 4;
/** Milliseconds that all files together have until a model is told that the rest is not shown. */
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
    const named = newestFirst.map((message) => ({ id: message.id, files: filesOf(message) }));
    const shown = await this.show(
      userId,
      named.flatMap(({ files }) => files),
    );
    const parts = new Map<string, ContentPart[]>();
    for (const { id, files } of named) {
      const found = files.flatMap((file) => partsOf(file, shown));
      if (found.length > 0) parts.set(id, found);
    }
    return parts;
  }

  /**
   * The pictures that results name, as parts; those that are not the user's, or no pictures, are none.
   * @param projections what the model gets back of the calls. Never rejects.
   */
  async ofResults(userId: string, projections: readonly string[]): Promise<ContentPart[]> {
    const files = projections.flatMap((projection) => picturesOf(projection));
    const shown = await this.show(userId, files);
    return files.flatMap((file) => partsOf(file, shown));
  }

  /** What is shown of each file that is the user's, by its id: one query, few reads, one deadline. */
  private async show(userId: string, files: NamedFile[]): Promise<Map<string, ShownFile>> {
    const ids = [...new Set(files.map(({ id }) => id))];
    if (ids.length === 0) return new Map();
    const owned = new Map((await this.owned(userId, ids)).map((stored) => [stored.id, stored]));
    const inOrder = ids.flatMap((id) => owned.get(id) ?? []);
    let bytes = 0;
    const wanted = new Set(
      inOrder.filter((stored) => (bytes += stored.bytes) <= CONTENTS_MAX_BYTES),
    );
    const bodies = new Map<string, Buffer>();
    const pool = pLimit(READERS);
    await within(READ_TIMEOUT_MS, async (signal) => {
      await Promise.all(
        [...wanted].map((stored) =>
          pool(async () => {
            if (!signal.aborted) await this.readInto(bodies, stored, signal);
          }),
        ),
      );
    }).catch((error: unknown) => this.logger.warn(`Files are not shown: ${String(error)}`));
    return new Map(
      inOrder.map((stored) => {
        const body = bodies.get(stored.id) ?? null;
        const parts = attachmentParts(toAttachment(stored), body, this.config.MODEL_INPUT);
        return [stored.id, { parts, picture: stored.mediaType.startsWith('image/') }];
      }),
    );
  }

  private async readInto(
    bodies: Map<string, Buffer>,
    stored: StoredAttachment,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      bodies.set(stored.id, await this.attachments.read(stored, signal));
    } catch (error) {
      this.logger.warn(`The attachment ${stored.id} cannot be read: ${String(error)}`);
    }
  }

  private async owned(userId: string, ids: string[]): Promise<StoredAttachment[]> {
    try {
      return await this.rows.owned(userId, ids);
    } catch (error) {
      this.logger.warn(`The attachments ${ids.join(', ')} are not found: ${String(error)}`);
      return [];
    }
  }
}

/** A file as a message or a result names it. */
interface NamedFile {
  id: string;
  /** Shown only when it is a picture. */
  pictureOnly: boolean;
  /** What stands for a file that a person sent and that is gone. */
  gone: ContentPart[];
}

interface ShownFile {
  parts: ContentPart[];
  picture: boolean;
}

function filesOf(message: NewThreadMessage): NamedFile[] {
  if (message.role === 'tool') return picturesOf(message.content);
  if (message.role !== 'user') return [];
  return (message.metadata.attachments ?? []).map((attachment) => {
    return { id: attachment.id, pictureOnly: false, gone: attachmentParts(attachment, null, []) };
  });
}

function picturesOf(projection: string): NamedFile[] {
  return imagesOf(projection).map((id) => ({ id, pictureOnly: true, gone: [] }));
}

function partsOf(file: NamedFile, shown: ReadonlyMap<string, ShownFile>): ContentPart[] {
  const found = shown.get(file.id);
  if (!found) return file.gone;
  return file.pictureOnly && !found.picture ? [] : found.parts;
}
