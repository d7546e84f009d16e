/** Bytes that are read of what an endpoint says of a failure. */
const MAX_FAILURE_BYTES = 64 * 1024;

/**
 * `fetch` for an endpoint that is trusted with conversations and with nothing else. A redirect fails: an
 * endpoint does not decide to whom else they are sent. Of an answer that is a failure only the beginning
 * is read.
 * @param onAnswer called once a status has come.
 */
export function endpointFetch(onAnswer: () => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' });
    onAnswer();
    if (response.ok || !response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(await beginning(response.body), { status, statusText, headers });
  };
}

async function beginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let left = MAX_FAILURE_BYTES;
  for await (const bytes of body) {
    parts.push(bytes.subarray(0, left));
    left -= bytes.length;
    if (left <= 0) break;
  }
  return Buffer.concat(parts).toString('utf8');
}
