import type { Avatar, ExtraFact } from '../contact-facts.js';
import { AvatarFault, pictureOf, readAvatar } from '../rules/avatar.js';
import { paramOf, type ContentLine } from './content-lines.js';
import { unescapeText } from './escaping.js';
import { VcardError } from './vcard-error.js';

/** Properties whose values are bytes, and of what kind. */
const MEDIA: Readonly<Record<string, string>> = {
  PHOTO: 'image',
  LOGO: 'image',
  SOUND: 'audio',
  KEY: 'application',
};

const PICTURES = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/heic',
  'image/avif',
  'image/bmp',
]);

/**
 * The picture of a PHOTO; null for one that the address book does not show, which is kept as it is.
 * @throws VcardError when it is too large, or no base64.
 */
export function readPhoto(property: ContentLine): Avatar | null {
  const { value } = binaryAsUri(property);
  const [, mediaType = '', base64] = /^data:([^;,]+)[^,]*;base64,(.*)$/is.exec(value) ?? [];
  try {
    if (base64 !== undefined) {
      return PICTURES.has(mediaType.toLowerCase())
        ? pictureOf(mediaType.toLowerCase(), base64)
        : null;
    }
    const url = unescapeText(value).trim();
    return /^https?:/i.test(url) ? readAvatar(url) : null;
  } catch (error) {
    if (!(error instanceof AvatarFault)) throw error;
    throw new VcardError(property.line, `has a picture that ${error.message}`, error.tooLarge);
  }
}

/** Bytes in base64 as a `data:` URI, as vCard 4.0 has them; other properties as they are. */
export function binaryAsUri(property: ContentLine): ContentLine {
  const encoding = paramOf(property, 'ENCODING')?.toUpperCase();
  const bare = property.params.some(
    ([name, values]) => name === 'TYPE' && values.some((value) => value.toUpperCase() === 'BASE64'),
  );
  if (encoding !== 'B' && encoding !== 'BASE64' && !bare) return property;
  const types = property.params
    .filter(([name]) => name === 'TYPE')
    .flatMap(([, values]) => values)
    .filter((value) => value.toUpperCase() !== 'BASE64');
  const params = property.params.filter(([name]) => !['TYPE', 'ENCODING', 'VALUE'].includes(name));
  const base64 = property.value.replace(/\\n|\s+/g, '');
  const media = mediaTypeOf(property.name, types[0]);
  return { ...property, params, value: `data:${media};base64,${base64}` };
}

function mediaTypeOf(name: string, type: string | undefined): string {
  const kind = MEDIA[name] ?? 'application';
  const plain = type?.toLowerCase().replace(/[^a-z0-9.+/-]/g, '');
  if (!plain) return kind === 'image' ? 'image/jpeg' : `${kind}/octet-stream`;
  if (plain.includes('/')) return plain;
  return `${kind}/${plain === 'jpg' ? 'jpeg' : plain}`;
}

/** A `data:` URI as vCard 3.0 has bytes: `ENCODING=b;TYPE=JPEG`. */
export function uriAsBinary(fact: ExtraFact): ExtraFact {
  const kind = MEDIA[fact.name];
  const [, media, base64] = /^data:([^;,]+);base64,(.*)$/is.exec(fact.value) ?? [];
  if (!kind || !media || base64 === undefined) return fact;
  const [own, subtype = ''] = media.split('/');
  const type = own === kind ? subtype.toUpperCase() : media;
  return {
    ...fact,
    params: [...fact.params, ['ENCODING', ['b']], ['TYPE', [type]]],
    value: base64,
  };
}
