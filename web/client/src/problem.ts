/** One thing that is wrong with an input. */
export interface InputIssue {
  path: string;
  message: string;
  expected?: string;
  received?: string;
}

/** A request that the server refused or could not answer (RFC 9457 problem details). */
export class StewardProblem extends Error {
  override readonly name = 'StewardProblem';

  constructor(
    /** HTTP status. */
    readonly status: number,
    /** Documented error code: `NOT_FOUND`, `RUN_ACTIVE`, … */
    readonly code: string,
    message: string,
    readonly details: {
      requestId?: string;
      issues?: InputIssue[];
      /** Milliseconds after which the same request may succeed. */
      retryAfterMs?: number;
    } = {},
  ) {
    super(message);
  }

  /** True where the same request may succeed later. */
  get retryable(): boolean {
    return this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** Reads a problem out of an answer that is not a success, whoever wrote it. */
export async function problemOf(response: Response): Promise<StewardProblem> {
  const body = await readBody(response);
  const retryAfter = Number(response.headers.get('retry-after'));
  const retryAfterMs =
    typeof body['retry_after_ms'] === 'number' ? body['retry_after_ms'] : retryAfter * 1000;
  return new StewardProblem(
    response.status,
    textOf(body['code']) ?? 'HTTP_ERROR',
    textOf(body['detail']) ?? textOf(body['title']) ?? `The server answered ${response.status}.`,
    {
      ...(typeof body['requestId'] === 'string' && { requestId: body['requestId'] }),
      ...(Array.isArray(body['issues']) && { issues: body['issues'].filter(isIssue) }),
      ...(retryAfterMs > 0 && { retryAfterMs }),
    },
  );
}

async function readBody(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json();
    return isObject(body) ? body : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isIssue(value: unknown): value is InputIssue {
  return (
    isObject(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string'
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
