import type { Attachment } from '../../threads/thread-message.js';

/** An attachment with what only the server knows. */
export interface StoredAttachment extends Attachment {
  userId: string;
  /** The thread in which it was sent; null until then. */
  threadId: string | null;
  /** SHA-256 of the content, in hex. */
  sha256: string;
  /** Key of its object. */
  storagePath: string;
  createdAt: Date;
}

/** What messages, events and clients carry of an attachment. */
export function toAttachment({ id, name, mediaType, bytes }: Attachment): Attachment {
  return { id, name, mediaType, bytes };
}
