import { StartupError } from '../common/startup-error.js';

/** A command beside a server finds nothing of one where the configuration points, and makes nothing. */
export class NoDataError extends StartupError {
  /** @param missing what was not found, and `hint` what to give the command. */
  constructor(dataDir: string, missing: string, hint: string) {
    super(`There is no Steward data in DATA_DIR=${dataDir} (${missing}): ${hint}.`);
  }
}
