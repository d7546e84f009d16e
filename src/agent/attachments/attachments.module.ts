import { Module } from '@nestjs/common';
import { MulterModule } from '@nestjs/platform-express';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../../auth/auth.module.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { OutputStorageModule } from '../../output-storage/output-storage.module.js';
import { AttachmentEntity } from './attachment.entity.js';
import { AttachmentLinks } from './attachment-links.js';
import { AttachmentRepository } from './attachment.repository.js';
import { AttachmentService } from './attachment.service.js';
import { AttachmentSweeper } from './attachment-sweeper.js';
import { MessageAttachments } from './message-attachments.js';
import { MessageContents } from './message-contents.js';
import { AttachmentsController } from './attachments.controller.js';

/** Files that people send with their messages. */
@Module({
  imports: [
    AuthModule,
    OutputStorageModule,
    TypeOrmModule.forFeature([AttachmentEntity]),
    MulterModule.registerAsync({
      inject: [APP_CONFIG],
      // In memory: the type is found in the content before anything is stored.
      useFactory: ({ ATTACHMENT_MAX_BYTES }: AppConfig) => ({
        defParamCharset: 'utf8',
        limits: { fileSize: ATTACHMENT_MAX_BYTES, files: 1, fields: 0, parts: 1 },
      }),
    }),
  ],
  controllers: [AttachmentsController],
  providers: [
    AttachmentLinks,
    AttachmentRepository,
    AttachmentService,
    AttachmentSweeper,
    MessageAttachments,
    MessageContents,
  ],
  exports: [AttachmentRepository, MessageAttachments, MessageContents],
})
export class AttachmentsModule {}
