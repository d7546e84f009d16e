import type { ApiClient, Answer } from './api-client.js';

/** The smallest files of their kinds. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
export const GIF = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64');
export const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');

/** Uploads one file as a browser does. */
export async function upload(
  client: ApiClient,
  name: string,
  content: Buffer | string,
  field = 'file',
): Promise<Answer> {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(Buffer.from(content))]), name);
  const response = await client.raw('/agent/attachments', { method: 'POST', body: form });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

/** Uploads a file that is accepted. @returns its id. */
export async function uploaded(
  client: ApiClient,
  name: string,
  content: Buffer | string,
): Promise<string> {
  const { status, body } = await upload(client, name, content);
  if (status !== 201) throw new Error(`upload: ${status} ${JSON.stringify(body)}`);
  return String(body['id']);
}
