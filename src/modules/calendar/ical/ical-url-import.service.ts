import { Inject, Injectable } from '@nestjs/common';
import { wrongAddress } from '../../../common/remote/remote-errors.js';
import type { RemoteFile, RemoteFiles } from '../../../common/remote/remote-files.js';
import { StewardError } from '../../../common/steward-error.js';
import type { CalendarCaller } from '../calendar.caller.js';
import { charsetIn } from './charset.js';
import type { ImportReport } from './dto/import.dto.js';
import { IcalImportService } from './ical-import.service.js';
import { ICAL_FETCH_TIMEOUT_MS } from './ical.limits.js';
import { REMOTE_CALENDARS } from './remote-calendars.js';

/**
 * Taking the iCalendar file at an address into a calendar. Only people can ask for it: a model that
 * names addresses could carry what it has read out of the system.
 */
@Injectable()
export class IcalUrlImportService {
  /** Users whose file is on its way: one each, or a user could keep many connections busy. */
  private readonly underWay = new Set<string>();

  constructor(
    private readonly importing: IcalImportService,
    @Inject(REMOTE_CALENDARS) private readonly files: RemoteFiles | null,
  ) {}

  /**
   * As IcalImportService.import; the address is not kept.
   * @throws INVALID_ACTION_INPUT (`url`), DEPENDENCY_UNAVAILABLE, LIMIT_EXCEEDED; RATE_LIMITED while
   *   another address of the same user is read; FORBIDDEN where this is switched off.
   */
  async import(url: string, caller: CalendarCaller): Promise<ImportReport> {
    const { bytes, contentType } = await this.fetch(url, caller.userId);
    try {
      return await this.importing.import(bytes, caller, { charset: charsetIn(contentType) });
    } catch (error) {
      if (!(error instanceof StewardError) || error.code !== 'INVALID_ACTION_INPUT') throw error;
      throw wrongAddress(`leads to something else. ${error.message}`);
    }
  }

  private async fetch(url: string, userId: string): Promise<RemoteFile> {
    if (!this.files) throw importOff();
    if (this.underWay.has(userId)) throw oneAtATime();
    this.underWay.add(userId);
    try {
      return await this.files.read(url);
    } finally {
      this.underWay.delete(userId);
    }
  }
}

function importOff(): StewardError {
  return new StewardError(
    'FORBIDDEN',
    'This server reads no calendars at addresses; save the file and import that.',
  );
}

function oneAtATime(): StewardError {
  return new StewardError(
    'RATE_LIMITED',
    'Another calendar of yours is being read at its address; ask again when that is done.',
    { retryAfterMs: ICAL_FETCH_TIMEOUT_MS },
  );
}
