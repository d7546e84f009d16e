import { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { Body, Controller, Get, HttpCode, Post, Query, StreamableFile } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentPrincipal } from '../../auth/decorators.js';
import type { Principal } from '../../auth/principal.js';
import { ContactsVcardService } from './contacts-vcard.service.js';
import { callerOf } from './contacts.caller.js';
import { invalidField } from './contacts.errors.js';
import { ExportFields, ImportContactsOutput } from './dto/vcard.dto.js';

/** Media types under which phones and mail programs send vCard files. */
export const VCARD_MEDIA_TYPES = ['text/vcard', 'text/x-vcard', 'text/directory'];

/** vCard files over HTTP: the whole address book in, the whole address book out. */
@ApiTags('contacts')
@ApiBearerAuth()
@Controller('contacts')
export class ContactsVcardController {
  constructor(private readonly vcards: ContactsVcardService) {}

  @Post('import')
  @HttpCode(200)
  @ApiOperation({ summary: 'Import a vCard file (2.1, 3.0, 4.0): all of it or nothing' })
  @ApiConsumes('text/vcard')
  @ApiBody({ schema: { type: 'string' } })
  @ApiOkResponse({ type: ImportContactsOutput })
  import(@Body() body: unknown, @CurrentPrincipal() principal: Principal) {
    return this.vcards.import(textOf(body), callerOf(principal));
  }

  @Get('export')
  @ApiOperation({ summary: 'Every contact, or those of a group, as one vCard file' })
  @ApiProduces('text/vcard')
  @ApiOkResponse({ content: { 'text/vcard': { schema: { type: 'string' } } } })
  export(@Query() query: ExportFields, @CurrentPrincipal() principal: Principal): StreamableFile {
    const file = Readable.from(this.vcards.exportAll(query, callerOf(principal)));
    return new StreamableFile(file, {
      type: 'text/vcard; charset=utf-8',
      disposition: 'attachment; filename="contacts.vcf"',
    });
  }
}

/** The text of an uploaded file: UTF-8, or UTF-16 with its mark. */
function textOf(body: unknown): string {
  if (!Buffer.isBuffer(body)) {
    throw invalidField('', 'The body must be a vCard file, sent with Content-Type: text/vcard.');
  }
  const mark = body.subarray(0, 2).toString('hex');
  const charset = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body);
  } catch {
    throw invalidField('', `The file is not ${charset} text.`);
  }
}
