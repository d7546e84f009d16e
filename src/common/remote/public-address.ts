import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where IPv6 addresses of the Internet are assigned from; everything else is special or unused. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Special blocks (RFC 6890 and the IANA registries) that the library takes for ordinary ones. */
const SPECIAL_IPV4: [ipaddr.IPv4, number][] = [
  [ipaddr.IPv4.parse('198.18.0.0'), 15], // benchmarks
  [ipaddr.IPv4.parse('168.63.129.16'), 32], // Azure answers its machines under it, and nobody else
];
const SPECIAL_IPV6: [ipaddr.IPv6, number][] = [
  [ipaddr.IPv6.parse('2001::'), 23], // protocol assignments: Teredo, benchmarks, ORCHID
  [ipaddr.IPv6.parse('3fff::'), 20], // documentation
];

/**
 * Whether an address belongs to a host of the Internet. False for every special one: loopback,
 * private, link-local, carrier NAT, multicast, documentation, and IPv6 forms that carry an IPv4
 * address (mapped, 6to4, Teredo, NAT64), whichever that is. False too for what is no address in its
 * usual notation. Pure.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) {
    const parsed = ipaddr.IPv4.parse(address);
    return parsed.range() === 'unicast' && !SPECIAL_IPV4.some((block) => parsed.match(block));
  }
  // The library reads no mixed notation (::1.2.3.4) but the mapped one: special, each of them.
  if (!isIPv6(address) || address.includes('%') || !ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.IPv6.parse(address);
  return (
    parsed.range() === 'unicast' &&
    parsed.match(GLOBAL_IPV6) &&
    !SPECIAL_IPV6.some((block) => parsed.match(block))
  );
}
