/**
 * Takes lines about the database for the operator; they hold no secret. `warn` is for what mends
 * itself, `error` for what does not; without a level a line is news.
 */
export type DatabaseLog = (line: string, level?: 'info' | 'warn' | 'error') => void;
