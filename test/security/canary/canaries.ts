import { randomBytes } from 'node:crypto';

const hex = (): string => randomBytes(20).toString('hex');
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Texts that look like credentials, each used in one place, so that a find says what leaked. */
export class Canaries {
  private readonly places = new Map<string, string>();

  /** A secret that looks like nothing: for places that are secret by what they are. */
  plain(place: string): string {
    const secret = hex();
    this.places.set(secret, place);
    return secret;
  }

  /** `eyJ….….…`, of which neither the claims nor the signature may be seen. */
  jwt(place: string): string {
    const claims = part({ sub: hex() });
    this.places.set(claims, `${place} (claims)`);
    return `${part({ alg: 'EdDSA', typ: 'JWT' })}.${claims}.${this.plain(place)}`;
  }

  /** `Bearer …` */
  bearer(place: string): string {
    return `Bearer ${this.plain(place)}`;
  }

  /** A credential of every look, with the look's name. */
  everyLook(place: string): [string, string][] {
    return [
      ['jwt', this.jwt(`${place}, JWT`)],
      ['bearer', this.bearer(`${place}, bearer`)],
      ['key', this.providerKey(`${place}, provider key`)],
    ];
  }

  /** `sk-…`, as model providers give them. */
  providerKey(place: string): string {
    return `sk-proj-A${this.plain(place)}`;
  }

  /** A secret that somebody else made. */
  watch(place: string, secret: string): void {
    this.places.set(secret, place);
  }

  /** Which of them stand in a text, in any of the ways that bytes are written. */
  findIn(text: string): string[] {
    const found = [];
    for (const [secret, place] of this.places) {
      const octets = Buffer.from(secret);
      const forms = [secret, octets.toString('hex'), ...inBase64(octets)];
      if (forms.some((form) => text.includes(form))) found.push(place);
    }
    return found;
  }
}

/** The middle of its base64, at each of the three places where it may start. */
function inBase64(octets: Buffer): string[] {
  return [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), octets])
      .toString('base64')
      .slice(4, -4),
  );
}
