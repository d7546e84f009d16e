import { describe, expect, it } from '@jest/globals';
import type { AppEvent as ServerEvent } from '../../src/events/app-event.js';
import type { ChatItem as ServerItem } from '../../src/history/chat-item.js';
import type { AppEvent, AppEventType, ChatItem } from '../../web/client/src/index.js';

/** What TypeScript accepts only while everything the server sends fits what the client says. */
const item = (sent: ServerItem): ChatItem => sent;
const event = (sent: ServerEvent): AppEvent => sent;
/** And while the client knows no member or event that the server does not send. */
const members = (known: Exclude<keyof ChatItem, 'degraded'>): keyof ServerItem => known;
const types = (known: AppEventType): ServerEvent['type'] => known;

describe('the types of the client library', () => {
  it('are those of the server (checked by the compiler)', () => {
    expect([item, event, members, types]).toHaveLength(4);
  });
});
