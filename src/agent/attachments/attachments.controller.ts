import {
  Controller,
  Get,
  Header,
  Param,
  Post,
  Query,
  StreamableFile,
  UploadedFile,
  UseInterceptors,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentPrincipal, Public } from '../../auth/decorators.js';
import type { Principal } from '../../auth/principal.js';
import { StewardError } from '../../common/steward-error.js';
import { contentDisposition } from './attachment-name.js';
import { AttachmentService } from './attachment.service.js';
import {
  AttachmentContentQuery,
  AttachmentLinkResponse,
  AttachmentResponse,
} from './dto/attachment.dto.js';

/** What multer gives of a file in memory. */
interface ReceivedFile {
  originalname: string;
  buffer: Buffer;
}

/** Files for messages (PROTOCOL §11). */
@ApiTags('agent')
@Controller('agent/attachments')
export class AttachmentsController {
  constructor(private readonly attachments: AttachmentService) {}

  @Post()
  @ApiBearerAuth()
  @UseInterceptors(FileInterceptor('file'))
  @ApiOperation({ summary: 'Upload one file, to be sent with a message within 24 hours' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary', description: 'The file.' } },
    },
  })
  @ApiCreatedResponse({ type: AttachmentResponse })
  async upload(
    @UploadedFile() file: ReceivedFile | undefined,
    @CurrentPrincipal() principal: Principal,
  ): Promise<AttachmentResponse> {
    if (!file) {
      const message = 'must be a file, sent as multipart/form-data';
      throw new StewardError('INVALID_ACTION_INPUT', 'There is no file in the body.', {
        issues: [{ path: 'file', message, expected: 'one file' }],
      });
    }
    return this.attachments.upload(principal.userId, file.originalname, file.buffer);
  }

  @Get(':id')
  @ApiBearerAuth()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'A file and a link to its content, which works for five minutes' })
  @ApiOkResponse({ type: AttachmentLinkResponse })
  async find(
    @Param('id') id: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<AttachmentLinkResponse> {
    const { expiresAt, ...link } = await this.attachments.link(principal.userId, id);
    return { ...link, expiresAt: expiresAt.toISOString() };
  }

  /** Content of others on our origin: a browser must neither guess its type nor run it. */
  @Get(':id/content')
  @Public()
  @Header('X-Content-Type-Options', 'nosniff')
  @Header('Content-Security-Policy', "default-src 'none'; sandbox")
  @Header('Cache-Control', 'private, no-store')
  @Header('Referrer-Policy', 'no-referrer')
  // A front end on another origin (CORS_ORIGINS) shows pictures; what admits is the signed link.
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  @ApiOperation({ summary: 'The content of a file, by a signed link' })
  @ApiOkResponse({ content: { 'application/octet-stream': {} } })
  async content(
    @Param('id') id: string,
    @Query() { expires = '', signature = '' }: AttachmentContentQuery,
  ): Promise<StreamableFile> {
    const { attachment, body } = await this.attachments.open(id, expires, signature);
    const { name, mediaType, bytes } = attachment;
    return new StreamableFile(body, {
      type: mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
      disposition: contentDisposition(
        mediaType.startsWith('image/') ? 'inline' : 'attachment',
        name,
      ),
      length: bytes,
    });
  }
}
