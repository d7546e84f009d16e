import type { AppEvent } from '../../src/events/app-event.js';
import type { NewRunEvent } from '../../src/events/run-event.js';

/**
 * What is wrong with a run's events by PROTOCOL §12; empty when nothing is. Written apart from the
 * runtime's own tracker, so that the two can disagree.
 * @param inherited ids of the calls that the run before it announced and left open.
 * @param clients those of them that a client carries out.
 */
export function grammarFaults(
  events: readonly (NewRunEvent | AppEvent)[],
  inherited: readonly string[] = [],
  clients: readonly string[] = [],
): string[] {
  const faults: string[] = [];
  let stage: string | null = null;
  let text: { id: string; pieces: number } | null = null;
  let thought: { id: string; part: 'started' | 'message' | 'ended'; pieces: number } | null = null;
  const texts = new Set<string>();
  const parents = new Set<string>();
  const calls = new Map<string, 'started' | 'ended' | 'answered'>(
    inherited.map((id) => [id, 'ended']),
  );
  const ofClient = new Set<string>(clients);
  let terminals = 0;
  let snapshots = 0;

  events.forEach((event, index) => {
    const wrong = (what: string) => faults.push(`${index} ${event.type}: ${what}`);
    if (terminals > 0) wrong('after the end');
    if ((event.type === 'RUN_STARTED') !== (index === 0)) wrong('RUN_STARTED is first and once');
    switch (event.type) {
      case 'RUN_STARTED':
        break;
      case 'STEP_STARTED':
        if (stage) wrong(`${stage} is open`);
        if (index === 1 && event.stepName !== (inherited.length > 0 ? 'execution' : 'intent')) {
          wrong('not the first stage');
        }
        stage = event.stepName;
        break;
      case 'STEP_FINISHED':
        if (stage !== event.stepName) wrong(`${stage} is open`);
        if (text) wrong('a text is open');
        if (thought) wrong('reasoning is open');
        stage = null;
        break;
      case 'REASONING_START':
        if (!stage) wrong('outside of a stage');
        if (text) wrong('a text is open');
        if (thought) wrong('reasoning is open');
        if (texts.has(event.messageId) || parents.has(event.messageId)) wrong('id used before');
        if (firstOpen(calls)) wrong('a call is open');
        texts.add(event.messageId);
        thought = { id: event.messageId, part: 'started', pieces: 0 };
        break;
      case 'REASONING_MESSAGE_START':
        if (thought?.id !== event.messageId || thought.part !== 'started')
          wrong('not the open one');
        if (thought) thought.part = 'message';
        break;
      case 'REASONING_MESSAGE_CONTENT':
        if (thought?.id !== event.messageId || thought.part !== 'message')
          wrong('not the open one');
        if (event.delta === '') wrong('empty delta');
        if (thought) thought.pieces += 1;
        break;
      case 'REASONING_MESSAGE_END':
        if (thought?.id !== event.messageId || thought.part !== 'message')
          wrong('not the open one');
        if (thought?.pieces === 0) wrong('a message with no text');
        if (thought) thought.part = 'ended';
        break;
      case 'REASONING_END':
        if (thought?.id !== event.messageId || thought.part !== 'ended') wrong('not the open one');
        thought = null;
        break;
      case 'TEXT_MESSAGE_START':
        if (thought) wrong('reasoning is open');
        if (stage !== 'report') wrong('outside of report');
        if (text) wrong('a text is open');
        if (texts.has(event.messageId) || parents.has(event.messageId)) wrong('id used before');
        if ([...calls.values()].some((state) => state !== 'answered')) wrong('a call is open');
        texts.add(event.messageId);
        text = { id: event.messageId, pieces: 0 };
        break;
      case 'TEXT_MESSAGE_CONTENT':
        if (text?.id !== event.messageId) wrong('not the open text');
        if (event.delta === '') wrong('empty delta');
        if (text) text.pieces += 1;
        break;
      case 'TEXT_MESSAGE_END':
        if (text?.id !== event.messageId) wrong('not the open text');
        if (text?.pieces === 0) wrong('a message with no text');
        text = null;
        break;
      case 'TOOL_CALL_START':
        if (stage !== 'execution') wrong('outside of execution');
        if (text) wrong('a text is open');
        if (thought) wrong('reasoning is open');
        if (calls.has(event.toolCallId)) wrong('announced twice');
        calls.set(event.toolCallId, 'started');
        if (event.client) ofClient.add(event.toolCallId);
        parents.add(event.parentMessageId);
        break;
      case 'TOOL_CALL_ARGS':
        if (calls.get(event.toolCallId) !== 'started') wrong('the call is not open');
        if (event.delta === '') wrong('empty delta');
        break;
      case 'TOOL_CALL_END':
        if (calls.get(event.toolCallId) !== 'started') wrong('the call is not open');
        calls.set(event.toolCallId, 'ended');
        break;
      case 'TOOL_CALL_RESULT':
        if (stage !== 'execution') wrong('outside of execution');
        if (calls.get(event.toolCallId) !== 'ended') wrong('no call waits for it');
        // What a client carries out may take longer than what comes behind it.
        if (!ofClient.has(event.toolCallId) && firstOpen(calls, ofClient) !== event.toolCallId) {
          wrong('out of order');
        }
        calls.set(event.toolCallId, 'answered');
        break;
      case 'STATE_SNAPSHOT':
        if (snapshots > 0) wrong('a second snapshot');
        snapshots += 1;
        break;
      case 'STATE_DELTA':
        if (snapshots === 0) wrong('before the snapshot');
        break;
      case 'CUSTOM':
        if (thought) wrong('reasoning is open');
        break;
      case 'RUN_FINISHED':
      case 'RUN_ERROR':
        if (stage) wrong(`${stage} is open`);
        if (firstOpen(calls) && !waits(event)) wrong('a call has no result');
        if (!firstOpen(calls) && waits(event)) wrong('it waits for nothing');
        terminals += 1;
        break;
    }
  });
  if (terminals !== 1) faults.push(`${terminals} terminal events`);
  return faults;
}

function waits(event: NewRunEvent | AppEvent): boolean {
  return (
    event.type === 'RUN_FINISHED' && (event.outcome === 'interrupt' || event.outcome === 'pending')
  );
}

function firstOpen(
  calls: Map<string, string>,
  apart: ReadonlySet<string> = new Set(),
): string | undefined {
  return [...calls].find(([id, state]) => state !== 'answered' && !apart.has(id))?.[0];
}
