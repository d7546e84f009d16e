import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { PDF, PNG, uploaded } from '../support/files.js';
import { startProduct, type Product } from '../support/product.js';

/** Runs of the product as it is without MODEL_BASE_URL. */
describe('a message with files, answered by the offline planner', () => {
  let product: Product;
  let amy: ApiClient;

  beforeAll(async () => {
    product = await startProduct();
    amy = await product.client().register({ locale: 'en', timezone: 'Asia/Shanghai' });
  });
  afterAll(() => product.close());

  /** What the run says at its end, and the calls that it has made. */
  const answerTo = async (body: object) => {
    const { body: run } = await amy.post('/agent/runs', body);
    const threadId = String(run.threadId);
    for await (const { event } of amy.frames(`/agent/runs/${threadId}/events?after=0`)) {
      if (event.type === 'RUN_ERROR') throw new Error(JSON.stringify(event));
    }
    const { body: history } = await amy.get(`/agent/runs/${threadId}/history`);
    const items = history.messages as { role: string; content: string; method?: string }[];
    return {
      text: items.at(-1)?.content ?? '',
      methods: items.filter(({ role }) => role === 'tool').map(({ method }) => method),
    };
  };

  it.each([
    [
      'Create a meeting "Review" on 2 December 2027 from 3pm to 4pm',
      'Without a language model I cannot read files; with your message came “chart.png”, “paper.pdf”, “notes.txt”.',
      '“notes.txt” begins like this:\nCall Amy',
    ],
    [
      '创建日程：评审，2027年12月2日下午3点到4点',
      '没有接入语言模型，我读不了文件；随消息附上的是“chart.png”、“paper.pdf”、“notes.txt”。',
      '“notes.txt”的开头是：\nCall Amy',
    ],
  ])('does what is asked, and says that it read none of them: %s', async (message, note, text) => {
    const attachments = [
      await uploaded(amy, 'chart.png', PNG),
      await uploaded(amy, 'paper.pdf', PDF),
      await uploaded(amy, 'notes.txt', 'Call Amy'),
    ];
    const told = await answerTo({ message, attachments });
    expect(told.methods).toEqual(['create']);
    expect(told.text).toContain(note);
    expect(told.text).toContain(text);
    const rest = told.text.slice(told.text.indexOf(text) + text.length);
    expect(rest).toMatch(/Review|评审/);
  });

  it('says nothing of the files of an earlier message', async () => {
    const { body } = await amy.post('/agent/runs', {
      message: 'hello',
      attachments: [await uploaded(amy, 'chart.png', PNG)],
    });
    const threadId = String(body.threadId);
    for await (const _frame of amy.frames(`/agent/runs/${threadId}/events?after=0`));
    expect((await answerTo({ threadId, message: 'hello' })).text).not.toContain('chart.png');
  });
});
