import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import net, { isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net';
import tls from 'node:tls';
import { isPublicAddress } from './public-address.js';
import { addressUnavailable } from './remote-errors.js';
import type { RemoteTarget } from './remote-target.js';

/** How the network is reached; tests give a network of their own. */
export interface RemoteNetwork {
  /** All addresses of a name, asked once for every request. */
  resolve(name: string): Promise<LookupAddress[]>;
  /** How to connect to one of `addresses`, which `host` stood for, and to nothing else. */
  route(host: string, addresses: LookupAddress[], port: number): TcpNetConnectOpts;
  /** Authorities to trust in place of those that Node trusts, as PEM. */
  ca?: string;
}

export const REAL_NETWORK: RemoteNetwork = {
  resolve: (name) => lookup(name, { all: true }),
  route: (host, addresses, port) => {
    // Asked in place of a resolver, which could answer otherwise by now.
    const pinned: LookupFunction = (_name, { all }, done) => {
      const [first] = addresses;
      if (all || !first) done(null, addresses);
      else done(null, first.address, first.family);
    };
    return { host, port, lookup: pinned, autoSelectFamily: true };
  },
};

/**
 * What the host of `target` resolves to; null when it is nothing, or not all of it may be asked: a
 * name may have a public address and a private one, and another a moment later.
 * @throws DEPENDENCY_UNAVAILABLE when the resolver gives no answer.
 */
export async function allowedAddresses(
  { host, listed }: RemoteTarget,
  network: RemoteNetwork,
): Promise<LookupAddress[] | null> {
  const addresses = await resolved(host, network);
  const allowed = listed || addresses.every(({ address }) => isPublicAddress(address));
  return addresses.length > 0 && allowed ? addresses : null;
}

async function resolved(host: string, network: RemoteNetwork): Promise<LookupAddress[]> {
  if (isIP(host) > 0) return [{ address: host, family: isIP(host) }];
  try {
    return await network.resolve(host);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
    throw addressUnavailable(error);
  }
}

/** A connection for a request to `target`, encrypted when it is https. */
export function connectTo(
  { url, host }: RemoteTarget,
  addresses: LookupAddress[],
  network: RemoteNetwork,
): Socket {
  const secure = url.protocol === 'https:';
  const route = network.route(host, addresses, Number(url.port) || (secure ? 443 : 80));
  if (!secure) return net.connect(route);
  return tls.connect({
    ...route,
    // The certificate is checked against it; of an address (RFC 6066: no SNI) against the host.
    ...(isIP(host) > 0 ? {} : { servername: host }),
    ...(network.ca ? { ca: network.ca } : {}),
    ALPNProtocols: ['http/1.1'],
  });
}
