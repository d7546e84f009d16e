export interface ServerSettings {
  cluster: string;
  port: number;
  maxConnections: number;
  durable: boolean;
}

/** What only a throw-away cluster may do: lose data in a crash for the sake of speed. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Arguments of `postgres` for one server beside the application, on this machine only. */
export function serverArguments(settings: ServerSettings): string[] {
  const values: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(settings.port),
    max_connections: String(settings.maxConnections),
    shared_buffers: '64MB',
    max_wal_size: '256MB',
    // No replica and no backup tool reads this server's log.
    wal_level: 'minimal',
    max_wal_senders: '0',
    io_method: 'sync',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    log_checkpoints: 'off',
    // A failed statement is the application's to report; here it would put a person's data in a log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(settings.durable ? {} : NOT_DURABLE),
  };
  return [
    '-D',
    settings.cluster,
    ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}
