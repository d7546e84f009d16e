import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP/HTTP has it in JSON. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Scalar & { arrayValue?: { values: Scalar[] } } }[];
  status: { code?: number };
  /** OTEL_SERVICE_NAME of the process that it is of. */
  service: string;
}

interface Scalar {
  stringValue?: string;
  intValue?: number;
}

type Attributes = ReceivedSpan['attributes'];

interface Export {
  resourceSpans: {
    resource: { attributes: Attributes };
    scopeSpans: { spans: Omit<ReceivedSpan, 'service'>[] }[];
  }[];
}

/** An OpenTelemetry collector that keeps what it gets. */
export class SpanCollector {
  readonly spans: ReceivedSpan[] = [];
  /** Bodies as they came. */
  readonly bodies: string[] = [];
  readonly headers: Record<string, unknown>[] = [];
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      this.bodies.push(body);
      this.headers.push({ ...request.headers, path: request.url });
      for (const { resource, scopeSpans } of (JSON.parse(body) as Export).resourceSpans) {
        const service = String(attribute(resource, 'service.name'));
        for (const { spans } of scopeSpans) {
          this.spans.push(...spans.map((span) => ({ ...span, service })));
        }
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

export function attribute(of: { attributes: Attributes } | undefined, key: string): unknown {
  const value = of?.attributes.find((candidate) => candidate.key === key)?.value;
  return value?.arrayValue?.values.map(scalar) ?? (value && scalar(value));
}

function scalar({ stringValue, intValue }: Scalar): string | number | undefined {
  return stringValue ?? intValue;
}
