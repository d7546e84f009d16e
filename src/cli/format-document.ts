import type { CliDocument } from '../tool-router/cli-document.js';
import { projectResult } from '../tool-output/projection.js';
import type { Format } from './arguments.js';

/**
 * What goes to stdout: in every format one JSON document and a newline (PROTOCOL §4). `text` is the
 * text projection that a model gets as ToolResponse (PROTOCOL §7): status and data, no envelope.
 */
export function formatDocument(document: CliDocument, format: Format): string {
  if (format === 'pretty') return `${JSON.stringify(document, null, 2)}\n`;
  if (format === 'json') return `${JSON.stringify(document)}\n`;
  const { status, module, method } = document;
  return `${projectResult(
    document.ok
      ? { status, result: { module, method, data: document.data }, error: null }
      : { status, result: null, error: document.error },
  )}\n`;
}
