import type { AppConfig } from './app-config.js';

type WithRole = Pick<AppConfig, 'ROLE'>;

/** Whether this process claims and executes runs. */
export function executesRuns({ ROLE }: WithRole): boolean {
  return ROLE !== 'api';
}

/** Whether this process serves clients; one that does not answers its probes alone. */
export function servesApi({ ROLE }: WithRole): boolean {
  return ROLE !== 'worker';
}
