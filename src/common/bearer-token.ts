/**
 * The token of an Authorization header with the scheme Bearer, whose case does not matter (RFC 9110
 * §11.1): visible ASCII without spaces. Undefined without one, also for another scheme.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
}
