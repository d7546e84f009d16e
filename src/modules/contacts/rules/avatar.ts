import type { Avatar } from '../contact-facts.js';
import { AVATAR_MAX_BYTES, AVATAR_URL_MAX } from '../contacts.limits.js';

const DATA_URI =
  /^data:(image\/(?:png|jpeg|gif|webp|heic|avif|bmp))(?:;[\w-]+=[\w-]+)*;base64,(.*)$/is;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** What an avatar may not be, in words. */
export class AvatarFault extends Error {
  constructor(
    message: string,
    readonly tooLarge = false,
  ) {
    super(message);
  }
}

/**
 * Reads an `http(s)` URL or a `data:image/…;base64,` URI. Nothing is fetched.
 * @throws AvatarFault
 */
export function readAvatar(text: string): Avatar {
  const [, mediaType, data] = DATA_URI.exec(text) ?? [];
  if (mediaType !== undefined && data !== undefined) {
    return pictureOf(mediaType.toLowerCase(), data);
  }
  if (text.length > AVATAR_URL_MAX) {
    throw new AvatarFault(`is longer than ${AVATAR_URL_MAX} characters.`, true);
  }
  if (!isWebAddress(text)) {
    throw new AvatarFault('must be an http(s) address or a data: URI of an image in base64.');
  }
  return { url: text };
}

/** A picture of bytes in base64, as it is. @throws AvatarFault */
export function pictureOf(mediaType: string, data: string): Avatar {
  const base64 = data.replace(/\s+/g, '');
  if (base64 === '' || !BASE64.test(base64)) throw new AvatarFault('is not valid base64.');
  if (Math.floor((base64.length * 3) / 4) - 2 > AVATAR_MAX_BYTES) {
    throw new AvatarFault(`is larger than ${AVATAR_MAX_BYTES} bytes.`, true);
  }
  // Written back as it is stored: one spelling for equal bytes.
  return { mediaType, base64: Buffer.from(base64, 'base64').toString('base64') };
}

/** Whether the text is an address of the web: no script, no file. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s<>"\\]+$/i.test(text) && URL.canParse(text);
}

/** The picture as a `data:` URI, or its address. */
export function avatarText(avatar: Avatar): string {
  return 'url' in avatar ? avatar.url : `data:${avatar.mediaType};base64,${avatar.base64}`;
}
