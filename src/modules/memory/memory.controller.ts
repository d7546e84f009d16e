import { Readable } from 'node:stream';
import {
  Body,
  Controller,
  Delete,
  Get,
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
import {
  EraseMemoriesOutput,
  FactView,
  ForgetOutput,
  MemoryExport,
  ReadMemoryOutput,
} from './dto/fact-view.dto.js';
import { EraseMemoriesQuery, ListMemoriesQuery } from './dto/read-input.dto.js';
import { FactCorrection, FactIdInput, RememberBody } from './dto/update-input.dto.js';
import { MemoryChange } from './dto/update-output.dto.js';
import { MemoryExportService } from './memory-export.service.js';
import { MemoryForgettingService } from './memory-forgetting.service.js';
import { MemoryReadingService } from './memory-reading.service.js';
import { personCaller } from './memory.caller.js';
import { MemoryService } from './memory.service.js';

/** What the person sees and decides of what is remembered about them (PROTOCOL §11). */
@ApiTags('memories')
@ApiBearerAuth()
@Controller('memories')
export class MemoryController {
  constructor(
    private readonly reading: MemoryReadingService,
    private readonly memory: MemoryService,
    private readonly forgetting: MemoryForgettingService,
    private readonly exporting: MemoryExportService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Facts, the last said first; a search with query' })
  @ApiOkResponse({ type: ReadMemoryOutput })
  list(@Query() query: ListMemoriesQuery, @CurrentPrincipal() principal: Principal) {
    return this.reading.list(query, principal.userId);
  }

  @Get('export')
  @ApiOperation({ summary: 'Everything that is remembered, with its history, as one JSON file' })
  @ApiOkResponse({ type: MemoryExport })
  export(@CurrentPrincipal() principal: Principal): StreamableFile {
    return new StreamableFile(Readable.from(this.exporting.document(principal.userId)), {
      type: 'application/json; charset=utf-8',
      disposition: 'attachment; filename="memories.json"',
    });
  }

  @Get(':fact_id')
  @ApiOperation({ summary: 'One fact, with what it said before' })
  @ApiOkResponse({ type: ReadMemoryOutput })
  get(@Param() { fact_id }: FactIdInput, @CurrentPrincipal() principal: Principal) {
    return this.reading.item(fact_id, principal.userId);
  }

  @Post()
  @ApiOperation({ summary: 'Remember a fact; one of the same key is superseded' })
  @ApiCreatedResponse({ type: MemoryChange })
  remember(@Body() body: RememberBody, @CurrentPrincipal() principal: Principal) {
    return this.memory.remember(body, personCaller(principal));
  }

  @Patch(':fact_id')
  @ApiOperation({ summary: 'Correct the given members of a fact' })
  @ApiOkResponse({ type: FactView })
  correct(
    @Param() { fact_id }: FactIdInput,
    @Body() body: FactCorrection,
    @CurrentPrincipal() principal: Principal,
  ) {
    return this.memory.correct(fact_id, body, personCaller(principal));
  }

  @Delete(':fact_id')
  @ApiOperation({ summary: 'Forget a fact and its history' })
  @ApiOkResponse({ type: ForgetOutput })
  forget(@Param() { fact_id }: FactIdInput, @CurrentPrincipal() principal: Principal) {
    return this.forgetting.forget({ fact_id }, principal.userId);
  }

  @Delete()
  @ApiOperation({ summary: 'Erase everything that is remembered; confirm=everything says so' })
  @ApiOkResponse({ type: EraseMemoriesOutput })
  eraseAll(@Query() _confirmed: EraseMemoriesQuery, @CurrentPrincipal() principal: Principal) {
    return this.forgetting.eraseAll(principal.userId);
  }
}
