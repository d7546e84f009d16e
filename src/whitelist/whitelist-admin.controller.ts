import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
  Put,
  Query,
  Res,
} from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, RequireRole } from '../auth/decorators.js';
import type { Principal } from '../auth/principal.js';
import { etagOf, versionOfIfMatch } from '../common/if-match.js';
import { StewardError } from '../common/steward-error.js';
import {
  ExplainRequest,
  ExplainResponse,
  ReplacedWhitelistDto,
  ReplaceWhitelistQuery,
  WhitelistVersionDocumentDto,
  WhitelistVersionsDto,
  WhitelistVersionsQuery,
} from './dto/whitelist-admin.dto.js';
import { ReplaceWhitelistDto, WhitelistDto } from './dto/whitelist.dto.js';
import { WhitelistAdmin } from './whitelist-admin.service.js';
import { WhitelistExplain } from './whitelist-explain.service.js';
import { explanationView, policyView, versionView } from './whitelist-views.js';
import { WhitelistService } from './whitelist.service.js';

const IF_MATCH = {
  name: 'If-Match',
  required: true,
  description: 'ETag of the version in force that you saw.',
};
const PAGE = 20;

/** The runtime whitelist, for admins (PROTOCOL §14). */
@ApiTags('admin')
@ApiBearerAuth()
@RequireRole('admin')
@Controller('admin/whitelist')
export class WhitelistAdminController {
  constructor(
    private readonly whitelist: WhitelistService,
    private readonly admin: WhitelistAdmin,
    private readonly explanations: WhitelistExplain,
  ) {}

  @Get()
  @ApiOperation({ summary: 'The whitelist in force; its version is the ETag.' })
  @ApiOkResponse({ type: WhitelistDto })
  async get(@Res({ passthrough: true }) response: Response): Promise<WhitelistDto> {
    const state = await this.whitelist.current();
    response.setHeader('ETag', etagOf(state.version));
    return policyView(state);
  }

  /** A missing, malformed or stale `If-Match` is a CONFLICT (409): nobody overwrites unseen. */
  @Put()
  @ApiOperation({ summary: 'Puts a new version in force, for the next call of every run.' })
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: ReplacedWhitelistDto })
  async replace(
    @Body() body: ReplaceWhitelistDto,
    @Query() { allowUnknown = false }: ReplaceWhitelistQuery,
    @Headers('if-match') ifMatch: string | undefined,
    @CurrentPrincipal() { userId }: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReplacedWhitelistDto> {
    const seen = versionOfIfMatch(ifMatch);
    const { version, ...document } = body;
    if (version !== undefined && version !== seen) {
      const message = `The document names version ${version}, If-Match version ${seen}: read it again.`;
      throw new StewardError('CONFLICT', message);
    }
    const state = await this.admin.replace(document, seen, userId, { allowUnknown });
    response.setHeader('ETag', etagOf(state.version));
    return { ...policyView(state), warnings: state.warnings };
  }

  @Get('versions')
  @ApiOperation({ summary: 'Every version there was, newest first.' })
  @ApiOkResponse({ type: WhitelistVersionsDto })
  async versions(
    @Query() { limit = PAGE, cursor }: WhitelistVersionsQuery,
  ): Promise<WhitelistVersionsDto> {
    const page = await this.admin.page(limit, cursor === undefined ? undefined : Number(cursor));
    return { versions: page.versions.map(versionView), nextCursor: page.nextCursor };
  }

  @Get('versions/:version')
  @ApiOperation({ summary: 'One version with its policy.' })
  @ApiOkResponse({ type: WhitelistVersionDocumentDto })
  async version(@Param('version') version: string): Promise<WhitelistVersionDocumentDto> {
    const found = await this.admin.version(versionOfPath(version));
    return { ...versionView(found), document: found.document };
  }

  @Post('versions/:version/restore')
  @HttpCode(200)
  @ApiOperation({ summary: 'Puts the policy of an earlier version in force, as a new version.' })
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: ReplacedWhitelistDto })
  async restore(
    @Param('version') version: string,
    @Headers('if-match') ifMatch: string | undefined,
    @CurrentPrincipal() { userId }: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReplacedWhitelistDto> {
    const seen = versionOfIfMatch(ifMatch);
    const state = await this.admin.restore(versionOfPath(version), seen, userId);
    response.setHeader('ETag', etagOf(state.version));
    return { ...policyView(state), warnings: state.warnings };
  }

  /** With `document` it is a trial: what that policy would decide. Nothing changes. */
  @Post('explain')
  @HttpCode(200)
  @ApiOperation({ summary: 'Who may call what, and by which rule: of one method, or of all.' })
  @ApiOkResponse({ type: ExplainResponse })
  async explain(@Body() body: ExplainRequest): Promise<ExplainResponse> {
    const explanation = await this.explanations.explain(body);
    return explanationView(explanation, body.method !== undefined);
  }
}

/** @throws StewardError NOT_FOUND for what can be no version. */
function versionOfPath(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new StewardError('NOT_FOUND', 'There is no such version.');
}
