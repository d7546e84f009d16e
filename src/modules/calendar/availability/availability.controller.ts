import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal } from '../../../auth/decorators.js';
import type { Principal } from '../../../auth/principal.js';
import { callerOf } from '../calendar.caller.js';
import { AvailabilityService } from './availability.service.js';
import { FindSlotQuery, FreeBusyQuery } from './dto/availability-input.dto.js';
import { FindSlotOutput, FreeBusyOutput } from './dto/availability-output.dto.js';

/** REST twin of `calendar.free_busy` and `calendar.find_slot`. */
@ApiTags('calendar')
@ApiBearerAuth()
@Controller('calendar')
export class AvailabilityController {
  constructor(private readonly availability: AvailabilityService) {}

  @Get('free-busy')
  @ApiOperation({ summary: 'When the caller, or people who share with them, are busy' })
  @ApiOkResponse({ type: FreeBusyOutput })
  freeBusy(@Query() query: FreeBusyQuery, @CurrentPrincipal() principal: Principal) {
    return this.availability.freeBusy(query, callerOf(principal));
  }

  @Get('slots')
  @ApiOperation({ summary: 'Times at which the caller and all participants are free' })
  @ApiOkResponse({ type: FindSlotOutput })
  findSlot(@Query() query: FindSlotQuery, @CurrentPrincipal() principal: Principal) {
    return this.availability.findSlot(query, callerOf(principal));
  }
}
