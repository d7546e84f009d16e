import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { raw } from 'express';
import { ContactPresenter } from './contact-presenter.js';
import { ContactsReadingService } from './contacts-reading.service.js';
import { ContactsVcardController, VCARD_MEDIA_TYPES } from './contacts-vcard.controller.js';
import { ContactsVcardService } from './contacts-vcard.service.js';
import { ContactsCommands } from './contacts.commands.js';
import { ContactsController } from './contacts.controller.js';
import { IMPORT_MAX_BYTES } from './contacts.limits.js';
import { ContactsRepository } from './contacts.repository.js';
import { ContactsService } from './contacts.service.js';
import { Contact } from './entities/contact.entity.js';
import { ContactsPersonalData } from './contacts.personal-data.js';

/** The address book. It needs CONTACTS_PEOPLE, which the composition root binds. */
@Module({
  imports: [TypeOrmModule.forFeature([Contact])],
  // The files' routes first: `/contacts/export` is no contact's id.
  controllers: [ContactsVcardController, ContactsController],
  providers: [
    ContactsPersonalData,
    ContactsCommands,
    ContactsService,
    ContactsReadingService,
    ContactsVcardService,
    ContactsRepository,
    ContactPresenter,
  ],
})
export class ContactsModule implements NestModule {
  /** Files are read as bytes, so that their charset is judged here. */
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(raw({ type: VCARD_MEDIA_TYPES, limit: IMPORT_MAX_BYTES }))
      .forRoutes({ path: 'contacts/import', method: RequestMethod.POST });
  }
}
