import type { PendingCall } from './app-event.js';

/** A tool of this client that the agent may call, as the server is told of it. */
export interface ToolDescription {
  /** 1 to 64 of A-Z a-z 0-9 _ -. */
  name: string;
  description: string;
  /** JSON Schema (draft 2020-12) of an object; absent for a tool that takes nothing. */
  parameters?: Record<string, unknown>;
}

/** What carries out a call; its input fits `parameters`. What it throws is told to the agent. */
export interface ClientTool extends Omit<ToolDescription, 'name'> {
  run: (input: Record<string, unknown>) => unknown;
}

/** Tools by their names. */
export type ClientTools = Record<string, ClientTool>;

/** What a tool gave: any JSON, or why it could not. */
export type ToolResult =
  { toolCallId: string; content: unknown } | { toolCallId: string; error: string };

/** Longest error that the server takes. */
const MAX_ERROR = 2_000;

export function describeTools(tools: ClientTools): ToolDescription[] {
  return Object.entries(tools).map(([name, { description, parameters }]) => ({
    name,
    description,
    ...(parameters && { parameters }),
  }));
}

/** Carries out one call. Never rejects; null for a tool that is not among these. */
export async function carryOut(
  tools: ClientTools,
  { toolCallId, name, input }: PendingCall,
): Promise<ToolResult | null> {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (!tool) return null;
  try {
    return { toolCallId, content: (await tool.run(input)) ?? null };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { toolCallId, error: message.slice(0, MAX_ERROR) || 'It failed.' };
  }
}
