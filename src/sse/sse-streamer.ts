import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { LiveSessions } from '../auth/live-sessions.js';
import { StewardError } from '../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { EventLog } from '../events/event-log.js';
import { isTerminal, type LoggedEvent } from '../events/run-event.js';
import { wireForm, type WireRequest } from '../events/wire-form.js';
import { StreamTelemetry } from '../observability/stream-telemetry.js';
import { EventFrames } from './event-frames.js';
import { Heartbeats } from './heartbeats.js';
import { ClientStalled, SseConnection } from './sse-connection.js';
import { StreamPlaces } from './stream-places.js';

/** What a stream carries, and in which form. */
export interface StreamOptions extends WireRequest {
  threadId: string;
  /** Id of the last event that the client has; everything later is sent. 0 is from the start. */
  after: number;
  /** Ends after the terminal event of this run; otherwise after one that nothing follows. */
  untilTerminalOf?: string;
  /** Counts the stream as one of this user's, unless it has a place already. */
  userId?: string;
  /**
   * Calls whose results an AG-UI client has in messages of its own, under the ids that the log has: it
   * would put them there a second time.
   */
  answered?: ReadonlySet<string>;
  /** The session that the reader came with: the stream ends with it. */
  sessionId?: string | null;
  /** A place from `reserve`; the stream gives it back when it ends. */
  place?: () => void;
}

/**
 * How a stream ended: after its terminal event, because the client went away or was dropped,
 * because the server stops, because the thread was deleted, because the reader's session ended, or
 * because the log could not be read.
 */
export type StreamEnd =
  'finished' | 'client_left' | 'shutdown' | 'deleted' | 'signed_out' | 'failed';

/** A stream under way: why it is to stop, once it is. */
class OpenStream {
  end: StreamEnd | null = null;
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(readonly sessionId: string | null) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  stop(end: StreamEnd): void {
    clearTimeout(this.timer);
    this.end ??= end;
    this.controller.abort();
  }

  /** Stops it unless its last terminal event comes first. */
  stopWithin(ms: number, end: StreamEnd): void {
    this.timer ??= setTimeout(() => this.stop(end), ms).unref();
  }

  close(): void {
    clearTimeout(this.timer);
  }
}

/** What is left to a stream whose reader's session has ended, in ms. */
const LAST_EVENTS_MS = 2_000;
const MAX_STREAMS_PER_USER = 50;

/** Writes a thread's event log to HTTP responses as server-sent events (PROTOCOL §12). */
@Injectable()
export class SseStreamer implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(SseStreamer.name);
  private readonly places = new StreamPlaces(MAX_STREAMS_PER_USER);
  private readonly heartbeats: Heartbeats;
  private readonly open = new Set<OpenStream>();
  private stopping = false;
  private unsubscribe: (() => void) | null = null;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly log: EventLog,
    private readonly frames: EventFrames,
    private readonly sessions: LiveSessions,
    private readonly telemetry: StreamTelemetry,
  ) {
    this.heartbeats = new Heartbeats(config.SSE_HEARTBEAT_MS);
  }

  /** Streams under way in this process. */
  get openStreams(): number {
    return this.open.size;
  }

  onModuleInit(): void {
    this.unsubscribe = this.sessions.onEnd((ended) => {
      for (const stream of this.open) {
        if (stream.sessionId === null || !ended.has(stream.sessionId)) continue;
        // A run that was started under the session is cancelled with it: its reader sees that it ended.
        stream.stopWithin(LAST_EVENTS_MS, 'signed_out');
      }
    });
  }

  /** Ends every stream: clients come back with the last id they saw, to another replica. */
  beforeApplicationShutdown(): void {
    this.unsubscribe?.();
    this.stopping = true;
    for (const stream of this.open) stream.stop('shutdown');
  }

  /**
   * Takes one of the user's places for a stream that is about to begin, so that what comes before it
   * is not done for a stream that is refused.
   * @returns what gives the place back, once.
   * @throws StewardError RATE_LIMITED when the user has too many streams, DEPENDENCY_UNAVAILABLE
   *   when the server is stopping.
   */
  reserve(userId: string): () => void {
    this.assertServing();
    return this.places.take(userId);
  }

  /**
   * Streams until one of the ends of StreamEnd, and ends the response. Once the headers are out
   * an error is only logged and ends the stream early: the client comes back for the rest.
   * @throws StewardError before the headers: RATE_LIMITED when the user has too many streams,
   *   DEPENDENCY_UNAVAILABLE when the server is stopping.
   */
  async stream(
    request: IncomingMessage,
    response: ServerResponse,
    options: StreamOptions,
  ): Promise<StreamEnd> {
    this.assertServing();
    const { userId } = options;
    const release = options.place ?? (userId === undefined ? null : this.places.take(userId));
    const stream = new OpenStream(options.sessionId ?? null);
    const onClose = (): void => stream.stop('client_left');
    response.on('close', onClose);
    // A write that crosses the client's leaving is an error of the response, and nothing more.
    response.on('error', onClose);
    if (response.destroyed) onClose();
    const connection = new SseConnection(response, stream.signal, this.config.SSE_STALL_MS);
    this.open.add(stream);
    const told = this.telemetry.opened();
    let end: StreamEnd | 'stalled' = 'finished';
    try {
      connection.open();
      this.heartbeats.add(connection);
      if (request.method === 'HEAD' || (await this.copy(connection, options, stream.signal))) {
        return 'finished';
      }
      return (end = stream.end ?? 'deleted');
    } catch (error) {
      if (stream.end) return (end = stream.end);
      this.logger.warn(`The stream of ${options.threadId} ended early: ${String(error)}`);
      response.destroy();
      end = error instanceof ClientStalled ? 'stalled' : 'failed';
      return end === 'stalled' ? 'client_left' : end;
    } finally {
      told(end);
      this.open.delete(stream);
      stream.close();
      this.heartbeats.remove(connection);
      response.off('close', onClose);
      release?.();
      if (!response.destroyed) response.end();
    }
  }

  private assertServing(): void {
    if (this.stopping) throw new StewardError('DEPENDENCY_UNAVAILABLE', 'The server is stopping.');
  }

  /** @returns true after the terminal event. */
  private async copy(
    connection: SseConnection,
    options: StreamOptions,
    signal: AbortSignal,
  ): Promise<boolean> {
    const form = wireForm(options);
    for await (const logged of this.log.follow(options.threadId, options.after, signal)) {
      if (!isKnown(logged, options)) await connection.send(this.frames.frame(logged, form));
      if (signal.aborted) return false;
      if (isTerminal(logged.event) && (await this.isLast(logged, options))) return true;
    }
    return false;
  }

  private async isLast(logged: LoggedEvent, options: StreamOptions): Promise<boolean> {
    if (options.untilTerminalOf !== undefined) return logged.runId === options.untilTerminalOf;
    return (await this.log.head(logged.threadId)) <= logged.id;
  }
}

function isKnown({ event }: LoggedEvent, { answered, encoding }: StreamOptions): boolean {
  if (encoding !== 'agui' || event.type !== 'TOOL_CALL_RESULT') return false;
  return answered?.has(event.toolCallId) ?? false;
}
