import { createHash, type KeyObject } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { SignJWT, errors, exportJWK, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { Clock } from '../common/clock.js';
import { StewardError } from '../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { IssuerKeys } from './issuer-keys.js';

const ALGORITHM = 'EdDSA';
/** Clocks of replicas may differ by this much, in seconds. */
const CLOCK_LEEWAY_SECONDS = 5;
/** Longer than any token made here; what is longer is not looked at. */
const MAX_TOKEN_LENGTH = 8192;
const MAX_CACHED_TOKENS = 10_000;

/** A use of the issuer's key. `typ` and `aud` keep tokens of one kind from passing as another. */
export interface TokenKind {
  /** `typ` of the header (RFC 8725 §3.11). */
  typ: string;
  audience: string;
  /** What messages call it. */
  name: string;
}

export interface TokenContent {
  subject: string;
  jti: string;
  /** Cut to whole seconds, as JWT has no finer ones. */
  issuedAt: Date;
  ttlSeconds: number;
  claims: JWTPayload;
}

/** What a token says whose signature and claims were checked. */
export interface VerifiedToken {
  issuer: string;
  subject: string;
  jti: string;
  expiresAt: Date;
  claims: Readonly<JWTPayload>;
}

/**
 * The embedded issuer: signs and verifies JWTs with Ed25519 keys. A verified token is remembered
 * under its SHA-256, never as itself, so that the signature is checked once and not per call.
 */
@Injectable()
export class TokenIssuer {
  /**
   * `iss`: the URL under which clients reach the server. Replicas that listen on different ports
   * need the same PUBLIC_URL, or they refuse each other's tokens.
   */
  readonly issuer: string;
  private readonly logger = new Logger(TokenIssuer.name);
  private issuerNoted = false;
  private readonly verified = new LRUCache<string, VerifiedToken>({ max: MAX_CACHED_TOKENS });

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly keys: IssuerKeys,
    private readonly clock: Clock,
  ) {
    keys.onChange(() => this.verified.clear());
    this.issuer = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;
  }

  /** The public keys that verify now, as `/.well-known/jwks.json` gives them (RFC 7517). */
  async jwks(): Promise<JSONWebKeySet> {
    const keys = this.keys.accepted().map(async ({ kid, publicKey }) => {
      return { ...(await exportJWK(publicKey)), kid, alg: ALGORITHM, use: 'sig' };
    });
    return { keys: await Promise.all(keys) };
  }

  async sign(kind: TokenKind, content: TokenContent): Promise<string> {
    const issuedAt = Math.floor(content.issuedAt.getTime() / 1000);
    const { kid, privateKey } = this.keys.current;
    return new SignJWT(content.claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: kind.typ, kid })
      .setIssuer(this.issuer)
      .setAudience(kind.audience)
      .setSubject(content.subject)
      .setJti(content.jti)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + content.ttlSeconds)
      .sign(privateKey);
  }

  /**
   * Checks signature, `kid`, `alg`, `typ`, `iss`, `aud`, `nbf`, `iat` and `exp`.
   * @throws StewardError CREDENTIAL_EXPIRED for a token that was good, CREDENTIAL_INVALID otherwise.
   */
  async verify(kind: TokenKind, token: string): Promise<VerifiedToken> {
    if (token.length > MAX_TOKEN_LENGTH) throw invalid(kind);
    const key = `${kind.typ} ${createHash('sha256').update(token).digest('base64url')}`;
    const known = this.verified.get(key);
    if (known) {
      if (this.isOver(known.expiresAt)) throw expired(kind);
      return known;
    }
    const result = await this.check(kind, token);
    this.verified.set(key, result);
    return result;
  }

  private async check(kind: TokenKind, token: string): Promise<VerifiedToken> {
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => this.keyOf(kid), {
        algorithms: [ALGORITHM],
        typ: kind.typ,
        issuer: this.issuer,
        audience: kind.audience,
        requiredClaims: ['sub', 'jti', 'iat', 'exp'],
        clockTolerance: CLOCK_LEEWAY_SECONDS,
        currentDate: this.clock.now(),
      });
      const { sub, jti, iat = Infinity, exp } = payload;
      if (typeof sub !== 'string' || typeof jti !== 'string' || exp === undefined) {
        throw invalid(kind);
      }
      if (iat > this.nowInSeconds() + CLOCK_LEEWAY_SECONDS) throw invalid(kind);
      return Object.freeze({
        issuer: this.issuer,
        subject: sub,
        jti,
        expiresAt: new Date(exp * 1000),
        claims: Object.freeze(payload),
      });
    } catch (error) {
      this.noteIssuer(error);
      throw error instanceof errors.JWTExpired ? expired(kind) : invalid(kind);
    }
  }

  /** Our key signed it, and under another name: replicas that differ in PUBLIC_URL. Said once. */
  private noteIssuer(error: unknown): void {
    const differs = error instanceof errors.JWTClaimValidationFailed && error.claim === 'iss';
    if (!differs || this.issuerNoted) return;
    this.issuerNoted = true;
    this.logger.warn(
      `A token that this deployment's key signed has another issuer than ${this.issuer} and is refused: PUBLIC_URL must be the same for every process.`,
    );
  }

  /** The public key of a `kid`; what names none, or an unknown one, is not tried with any. */
  private async keyOf(kid: string | undefined): Promise<KeyObject> {
    const key = kid === undefined ? null : await this.keys.find(kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key.publicKey;
  }

  /** Agrees with jose to the second: a token is over when `exp <= now - leeway`. */
  private isOver(expiresAt: Date): boolean {
    return expiresAt.getTime() / 1000 <= this.nowInSeconds() - CLOCK_LEEWAY_SECONDS;
  }

  private nowInSeconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}

function invalid(kind: TokenKind): StewardError {
  return new StewardError('CREDENTIAL_INVALID', `The ${kind.name} is not valid.`);
}

function expired(kind: TokenKind): StewardError {
  return new StewardError('CREDENTIAL_EXPIRED', `The ${kind.name} has expired; get a new one.`);
}
