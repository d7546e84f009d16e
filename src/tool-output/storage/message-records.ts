import { Injectable } from '@nestjs/common';
import type { ThreadMessage, ToolMessage } from '../../threads/thread-message.js';
import type { ToolAgentOutput } from '../tool-agent-output.js';
import { toolMessageText } from '../tool-message.js';
import { RecordReader } from './record-reader.js';

/** The records of tool messages, wherever they lie. */
@Injectable()
export class MessageRecords {
  constructor(private readonly reader: RecordReader) {}

  /**
   * The record of every tool message, by the message's id; null for one that cannot be read. Objects
   * are read side by side, all within one read deadline.
   */
  async of(messages: readonly ThreadMessage[]): Promise<Map<string, ToolAgentOutput | null>> {
    const found = await Promise.all(
      messages
        .filter((message) => message.role === 'tool')
        .map(async (message) => [message.id, await this.recordOf(message)] as const),
    );
    return new Map(found);
  }

  /**
   * The messages as a model reads them: tool messages have the projection as content, in every tier.
   * Those whose record cannot be read, or comes after `maxBytes` of records, keep their summary.
   * @param newestFirst messages, of which the first are read first.
   */
  async legible(newestFirst: readonly ThreadMessage[], maxBytes: number): Promise<ThreadMessage[]> {
    let bytes = 0;
    const wanted = newestFirst.filter((message) => {
      if (message.role !== 'tool' || message.metadata.storage_state === 'inline') return false;
      bytes += recordBytes(message);
      return bytes <= maxBytes;
    });
    const records = await this.of(wanted);
    return newestFirst.map((message) =>
      message.role === 'tool'
        ? { ...message, content: toolMessageText(message, records.get(message.id) ?? null) }
        : message,
    );
  }

  private async recordOf({ metadata }: ToolMessage): Promise<ToolAgentOutput | null> {
    switch (metadata.storage_state) {
      case 'inline':
      case 'write_failed':
        return metadata.tool_agent_output;
      case 'stored':
        return this.reader.tryRead(metadata);
      case 'lost':
        return null;
    }
  }
}

/** Bytes of a message's record, the same in every tier; of other messages, of their text. */
export function recordBytes(message: ThreadMessage): number {
  if (message.role !== 'tool') return Buffer.byteLength(message.content);
  const { metadata } = message;
  return 'payload_bytes' in metadata
    ? metadata.payload_bytes
    : Buffer.byteLength(JSON.stringify(metadata.tool_agent_output));
}
