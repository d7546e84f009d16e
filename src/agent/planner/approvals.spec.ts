import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '../models/chat-model.js';
import { hear, takeTurn } from './testing/talk.js';

/** A deletion that waited for an approval, which the next message gave up. */
function afterDropped(said: string): ChatMessage[] {
  const call = { module: 'calendar', method: 'delete', input: { event_id: 'evt_1' } };
  const error = { code: 'APPROVAL_DENIED', message: 'calendar.delete was not allowed.' };
  return [
    { role: 'user', content: '取消明天的项目会' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'call_1', name: 'project_cli', arguments: JSON.stringify(call) }],
    },
    {
      role: 'tool',
      toolCallId: 'call_1',
      content: JSON.stringify({ status: 'failure', error }),
    },
    { role: 'user', content: said },
  ];
}

describe('what waits for an approval', () => {
  it.each(['好的，批准', '同意', '可以', '我批准'])(
    'is not approved by the words %s',
    async (said) => {
      const { text, call } = await takeTurn(afterDropped(said));
      expect(call).toBeNull();
      expect(text).toContain('没有执行');
      expect(text).toContain('审批按钮');
    },
  );

  it.each(['Yes, approve it', 'ok', 'go ahead'])('nor by %s', async (said) => {
    const { text, call } = await takeTurn(afterDropped(said), { locale: 'en' });
    expect(call).toBeNull();
    expect(text).toContain('approval button');
  });

  it('does not hide another request', async () => {
    const { call } = await takeTurn(afterDropped('我明天有什么安排'));
    expect(call).toMatchObject({ module: 'calendar', method: 'read' });
  });
});

describe('scheduled tasks', () => {
  it.each([
    '创建一个定时任务：每天早上八点告诉我今天的日程',
    '我有哪些定时任务？',
    '取消定时任务',
    'create a scheduled task: tell me my day at 8',
    'What scheduled tasks do I have?',
    'cancel my scheduled task',
  ])('are not taken for events: %s', async (said) => {
    const { text, call } = await hear(said);
    expect(call).toBeNull();
    expect(text).toContain('/schedules');
  });

  it('may be what a meeting is about', async () => {
    const { call } = await hear('明天下午三点开会讨论定时任务');
    expect(call).toMatchObject({ module: 'calendar', method: 'create' });
  });
});
