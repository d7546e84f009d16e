import { integer } from './kinds.js';
import { defineTheme } from './theme.js';

/** How often a task may act. */
export const SCHEDULED_TASKS = defineTheme({
  title: 'Scheduled tasks',
  variables: {
    SCHEDULER_MIN_INTERVAL_SECONDS: integer(
      60,
      86_400,
    )({
      default: 300,
      desc: 'Seconds that two times of a scheduled task must be apart.',
    }),
  },
});
