import { TraceFlags, isSpanContextValid, type SpanContext } from '@opentelemetry/api';

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a `traceparent` header (W3C Trace Context); null for what is none, which is to be ignored. */
export function readTraceparent(header: string | undefined): SpanContext | null {
  const [, version, traceId = '', spanId = '', flags = '', rest] =
    TRACEPARENT.exec(header ?? '') ?? [];
  // Later versions may say more behind what is known.
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) {
    return null;
  }
  const sampled = (Number.parseInt(flags, 16) & TraceFlags.SAMPLED) !== 0;
  const context: SpanContext = {
    traceId,
    spanId,
    traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  };
  return isSpanContextValid(context) ? context : null;
}

/** Writes the header that `readTraceparent` reads. */
export function writeTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
