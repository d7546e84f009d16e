import { isIP, isIPv4 } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** Which addresses may be read. */
export interface RemotePlaces {
  /** Whether https on hosts of the Internet is. */
  internet: boolean;
  /** Origins (`http://10.0.0.5:8080`) that are, wherever they lie. */
  origins: readonly string[];
}

/** An address that may be asked, once what its name resolves to is known to be allowed too. */
export interface RemoteTarget {
  /** http or https, without credentials and fragment. */
  url: URL;
  /** Host as `net` takes it: a name, or an IP address without brackets. */
  host: string;
  /** One of the listed origins: it may lie inside the network. */
  listed: boolean;
}

export const REMOTE_URL_MAX = 2_000;

/** Names that never mean a host of the Internet (RFC 6761, 6762, 7686, 8375, 9476). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa|onion|alt)$/;
const WRITTEN = /^(https?|webcals?):\/\/([^/?#]+)(.*)$/i;
const UNWRITTEN = /[\s\\\p{Cc}]/u;

/**
 * Reads an address as somebody wrote it (`webcal:` is https), or the `Location` of an answer from
 * `from`; null when it may not be asked. Everything odd is refused rather than understood:
 * credentials, numbers that become an IPv4 address, ports, names of one label. Pure.
 */
export function remoteTarget(text: string, places: RemotePlaces, from?: URL): RemoteTarget | null {
  const whole = from ? absolute(text, from) : text;
  if (!whole || whole.length > REMOTE_URL_MAX || UNWRITTEN.test(whole)) return null;
  const [, scheme = '', authority = '', rest = ''] = WRITTEN.exec(whole) ?? [];
  if (/[@%]/.test(authority)) return null;
  const address = `${scheme.replace(/^webcals?$/i, 'https')}://${authority}${rest}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  url.hash = '';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // 2130706433, 0x7f.1 and fullwidth digits have become 127.0.0.1 by now.
  if (isIPv4(host) && authority.split(':')[0] !== host) return null;
  const listed = places.origins.includes(url.origin);
  if (!listed && !(places.internet && isOfInternet(url, host))) return null;
  return { url, host, listed };
}

function isOfInternet(url: URL, host: string): boolean {
  if (url.protocol !== 'https:' || url.port !== '') return false;
  if (isIP(host) > 0) return isPublicAddress(host);
  return host.includes('.') && !host.endsWith('.') && !LOCAL_NAME.test(host);
}

function absolute(location: string, from: URL): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return location;
  if (location.startsWith('//')) return from.protocol + location;
  // A backslash could make the host another one here.
  if (UNWRITTEN.test(location) || !URL.canParse(location, from.href)) return null;
  return new URL(location, from).href;
}
