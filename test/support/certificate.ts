import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** One DER element (X.690): tag, length, contents. */
function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  const { length } = body;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (year: number) => der(0x17, Buffer.from(`${year % 100}0101000000Z`));
const bits = (bytes: Uint8Array) => der(0x03, Buffer.from([0]), bytes);

/** A certificate (RFC 5280) that vouches for itself and for `name`, made for one test run; as PEM. */
export function selfSigned(name: string): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302')); // ecdsa-with-SHA256
  const commonName = sequence(oid('550403'), der(0x0c, Buffer.from(name)));
  const subject = sequence(der(0x31, commonName));
  const altNames = sequence(der(0x82, Buffer.from(name)));
  const year = new Date().getUTCFullYear();
  const certified = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    subject,
    sequence(time(year - 1), time(year + 2)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('551d11'), der(0x04, altNames)))),
  );
  const signature = sign('sha256', certified, privateKey);
  const whole = sequence(certified, algorithm, bits(signature)).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${whole.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
