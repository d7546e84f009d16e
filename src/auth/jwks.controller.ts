import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { JSONWebKeySet } from 'jose';
import { Public } from './decorators.js';
import { TokenIssuer } from './token-issuer.js';

/** The issuer's public key for whoever verifies its tokens (RFC 7517); outside the API prefix. */
@ApiTags('auth')
@Public()
@Controller()
export class JwksController {
  constructor(private readonly issuer: TokenIssuer) {}

  @Get('.well-known/jwks.json')
  @Header('Cache-Control', 'public, max-age=300')
  @ApiOperation({ summary: 'Public keys of the issuer' })
  @ApiOkResponse({
    schema: {
      type: 'object',
      required: ['keys'],
      properties: { keys: { type: 'array', items: { type: 'object' } } },
    },
  })
  jwks(): Promise<JSONWebKeySet> {
    return this.issuer.jwks();
  }
}
