import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  StreamableFile,
} from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentPrincipal } from '../../auth/decorators.js';
import type { Principal } from '../../auth/principal.js';
import { ContactsReadingService } from './contacts-reading.service.js';
import { callerOf } from './contacts.caller.js';
import { ContactsService } from './contacts.service.js';
import {
  ContactChanges,
  ContactIdInput,
  CreateContactInput,
  MergeContactsBody,
} from './dto/contact-input.dto.js';
import {
  ContactPageView,
  ContactView,
  DuplicatesOutput,
  ResolveContactOutput,
} from './dto/contact-view.dto.js';
import { DuplicatesQuery, ListContactsQuery, ResolveContactQuery } from './dto/read-input.dto.js';
import {
  CreateContactOutput,
  DeleteContactOutput,
  MergeContactsOutput,
  UpdateContactOutput,
} from './dto/write-output.dto.js';

/** REST twin of the methods of the address book, for people and apps (PROTOCOL §11). */
@ApiTags('contacts')
@ApiBearerAuth()
@Controller('contacts')
export class ContactsController {
  constructor(
    private readonly reading: ContactsReadingService,
    private readonly contacts: ContactsService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Contacts by name; with `query` those that contain its words' })
  @ApiOkResponse({ type: ContactPageView })
  list(@Query() query: ListContactsQuery, @CurrentPrincipal() principal: Principal) {
    return this.reading.list(query, callerOf(principal));
  }

  @Get('resolve')
  @ApiOperation({ summary: 'Who is meant by a name, nickname, email or number' })
  @ApiOkResponse({ type: ResolveContactOutput })
  resolve(@Query() { query }: ResolveContactQuery, @CurrentPrincipal() principal: Principal) {
    return this.reading.resolve(query, callerOf(principal));
  }

  @Get('duplicates')
  @ApiOperation({ summary: 'Contacts that may be the same person' })
  @ApiOkResponse({ type: DuplicatesOutput })
  duplicates(@Query() query: DuplicatesQuery, @CurrentPrincipal() principal: Principal) {
    return this.reading.duplicates(query, callerOf(principal));
  }

  @Get(':contact_id')
  @ApiOperation({ summary: 'One contact' })
  @ApiOkResponse({ type: ContactView })
  get(@Param() { contact_id }: ContactIdInput, @CurrentPrincipal() principal: Principal) {
    return this.reading.get(contact_id, callerOf(principal));
  }

  @Get(':contact_id/avatar')
  @ApiOperation({ summary: 'The picture that the contact holds; one at an address is not fetched' })
  @ApiOkResponse({ content: { 'image/*': { schema: { type: 'string', format: 'binary' } } } })
  async avatar(
    @Param() { contact_id }: ContactIdInput,
    @CurrentPrincipal() principal: Principal,
  ): Promise<StreamableFile> {
    const { mediaType, bytes } = await this.reading.picture(contact_id, callerOf(principal));
    return new StreamableFile(bytes, { type: mediaType, length: bytes.length });
  }

  @Post()
  @ApiOperation({ summary: 'Create a contact' })
  @ApiCreatedResponse({ type: CreateContactOutput })
  create(@Body() body: CreateContactInput, @CurrentPrincipal() principal: Principal) {
    return this.contacts.create(body, callerOf(principal));
  }

  @Patch(':contact_id')
  @ApiOperation({ summary: 'Change the given fields of a contact' })
  @ApiOkResponse({ type: UpdateContactOutput })
  update(
    @Param() { contact_id }: ContactIdInput,
    @Body() body: ContactChanges,
    @CurrentPrincipal() principal: Principal,
  ) {
    return this.contacts.update({ ...body, contact_id }, callerOf(principal));
  }

  @Delete(':contact_id')
  @ApiOperation({ summary: 'Delete a contact' })
  @ApiOkResponse({ type: DeleteContactOutput })
  delete(@Param() { contact_id }: ContactIdInput, @CurrentPrincipal() principal: Principal) {
    return this.contacts.delete({ contact_id }, callerOf(principal));
  }

  @Post(':contact_id/merge')
  @HttpCode(200)
  @ApiOperation({ summary: 'Merge other contacts into this one' })
  @ApiOkResponse({ type: MergeContactsOutput })
  merge(
    @Param() { contact_id }: ContactIdInput,
    @Body() body: MergeContactsBody,
    @CurrentPrincipal() principal: Principal,
  ) {
    return this.contacts.merge({ ...body, contact_id }, callerOf(principal));
  }
}
