import { AvailabilityController } from './availability.controller.js';
import { AvailabilityService } from './availability.service.js';
import { BusyRelationRepository } from './busy-relation.repository.js';
import { BusyService } from './busy.service.js';

/** What the calendar's module is made of for free/busy and the search for a slot. */
export const AVAILABILITY_CONTROLLERS = [AvailabilityController];
export const AVAILABILITY_PROVIDERS = [AvailabilityService, BusyService, BusyRelationRepository];
