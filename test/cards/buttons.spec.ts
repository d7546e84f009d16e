import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isJsonObject } from '../../src/common/json.js';
import type { UiSchema } from '../../src/events/run-event.js';
import { drawCard } from '../../src/tool-output/a2ui/card-text.js';
import type { ApiClient } from '../support/api-client.js';
import { buttonsOf, checkCard, type CardButton } from '../support/a2ui.js';
import { startProduct, type Product } from '../support/product.js';

interface Pressed {
  callId: string;
  status: string;
  summary: string;
  error: { code: string; message: string } | null;
  ui_schema: UiSchema | null;
}

/** PROTOCOL §8: what a card offers can be done, for as long as it is there to be done. */
describe('buttons of cards, pressed over HTTP', () => {
  let product: Product;
  let person: ApiClient;

  beforeAll(async () => {
    product = await startProduct({ CLI_EXECUTOR: 'inline' });
    person = await product.client().register({ locale: 'zh-CN', timezone: 'Asia/Shanghai' });
  }, 60_000);
  afterAll(() => product.close());

  const press = async (call: Omit<CardButton, 'label'>): Promise<Pressed> => {
    const { module, method, input } = call;
    const answer = await person.post('/agent/actions', { module, method, input });
    expect(answer.status).toBe(200);
    return answer.body as unknown as Pressed;
  };
  const buttons = ({ callId, ui_schema }: Pressed): CardButton[] => {
    if (ui_schema === null) throw new Error('There is no card.');
    checkCard(ui_schema, callId);
    return buttonsOf(ui_schema, callId);
  };
  const button = (card: Pressed, label: string): CardButton => {
    const found = buttons(card).find((candidate) => candidate.label === label);
    if (!found) throw new Error(`No button ${label} in\n${drawCard(card.ui_schema)}`);
    return found;
  };
  /** Presses "more" until there is none; the ids that the rows of each card open. */
  const pages = async (first: Pressed, key: string): Promise<string[][]> => {
    const shown: string[][] = [];
    for (let card: Pressed | null = first; card !== null;) {
      const all: CardButton[] = buttons(card);
      shown.push(all.flatMap(({ input }) => (key in input ? [String(input[key])] : [])));
      const more: CardButton | undefined = all.find(({ label }) => label === '更多');
      card = more ? await press(more) : null;
    }
    return shown;
  };

  const createEvent = async (title: string, startAt: string, endAt: string): Promise<string> => {
    const made = await person.post('/calendar/events', { title, start_at: startAt, end_at: endAt });
    expect(made.status).toBe(201);
    return String(made.body.id);
  };

  it('"more" of an agenda gives every event once, also those that were read but not shown', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 45; n += 1) {
      const minute = String(n).padStart(2, '0');
      ids.push(
        await createEvent(`E${n}`, `2027-03-01T10:${minute}:00+08:00`, '2027-03-01T12:00:00+08:00'),
      );
    }
    for (const extra of [{}, { limit: 200 }, { limit: 30 }, { limit: 20 }]) {
      const input = { mode: 'day', date: '2027-03-01', ...extra };
      const shown = await pages(
        await press({ module: 'calendar', method: 'read', input }),
        'event_id',
      );
      expect(shown.map((page) => page.length).reduce((sum, n) => sum + n, 0)).toBe(45);
      expect(Math.max(...shown.map((page) => page.length))).toBe(20);
      expect(shown.flat()).toEqual(ids);
    }
    const search = { mode: 'search', query: 'E', limit: 100 };
    const found = await pages(
      await press({ module: 'calendar', method: 'read', input: search }),
      'event_id',
    );
    expect(found.flat().sort()).toEqual([...ids].sort());
  });

  it('"more" of contacts and of duplicates does the same', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 25; n += 1) {
      for (const name of [`甲${n}`, `Person ${n}`]) {
        const made = await person.post('/contacts', { name, emails: [`same${n}@example.org`] });
        ids.push(String(made.body.id));
      }
    }
    const list = { module: 'contacts', method: 'read', input: { mode: 'list', limit: 50 } };
    const listed = await pages(await press(list), 'contact_id');
    expect(listed.map((page) => page.length)).toEqual([20, 20, 10]);
    expect(listed.flat().sort()).toEqual([...ids].sort());

    const duplicates = { module: 'contacts', method: 'read', input: { mode: 'duplicates' } };
    let merges = 0;
    for (let card: Pressed | null = await press(duplicates); card !== null;) {
      const all: CardButton[] = buttons(card);
      merges += all.filter(({ method }) => method === 'merge').length;
      const more: CardButton | undefined = all.find(({ label }) => label === '更多');
      card = more ? await press(more) : null;
    }
    expect(merges).toBe(25);
  });

  it.each(['~', '~0', '~999', 'x~20', '~20~20', '~20x'])(
    'refuses the cursor %j',
    async (cursor) => {
      for (const call of [
        { module: 'calendar', method: 'read', input: { mode: 'day', date: '2027-03-01', cursor } },
        { module: 'contacts', method: 'read', input: { mode: 'list', cursor } },
      ]) {
        expect(await press(call)).toMatchObject({ error: { code: 'INVALID_ACTION_INPUT' } });
      }
    },
  );

  it('of a card in history still work; what is gone is said in the reader’s language', async () => {
    const { threadId } = await person.say('明天下午三点和 Amy 开项目会，一个小时');
    const history = await person.get(`/agent/runs/${threadId}/history`);
    const items = Array.isArray(history.body.messages) ? history.body.messages : [];
    const tool: unknown = items.find((item: unknown) => isJsonObject(item) && item.role === 'tool');
    const { toolCallId, ui_schema } = tool as { toolCallId: string; ui_schema: UiSchema };
    const replayed: Pressed = {
      callId: toolCallId,
      status: 'success',
      summary: '',
      error: null,
      ui_schema,
    };
    const open = button(replayed, '查看');
    expect(await press(open)).toMatchObject({ status: 'success', summary: expect.any(String) });
    const removed = await press(button(replayed, '删除'));
    expect(removed).toMatchObject({ status: 'success', summary: '已删除日程：项目会' });
    for (const again of [open, button(replayed, '删除')]) {
      const gone = await press(again);
      expect(gone).toMatchObject({
        status: 'failure',
        error: { code: 'NOT_FOUND' },
        ui_schema: null,
      });
      expect(gone.summary).toMatch(/^(查询|删除)日程失败：未找到/);
    }
  });

  it('of contacts and of the memory say so, too, when what they are about is gone', async () => {
    const made = await person.post('/contacts', { name: 'Zoe' });
    const input = { mode: 'contact', contact_id: String(made.body.id) };
    const remove = button(await press({ module: 'contacts', method: 'read', input }), '删除');
    expect(await press(remove)).toMatchObject({ status: 'success' });
    expect(await press(remove)).toMatchObject({
      status: 'failure',
      error: { code: 'NOT_FOUND' },
      summary: '删除联系人失败：未找到',
    });
    const update = { operation: 'set', key: 'preference.drink', text: '喜欢茶' };
    const forget = button(
      await press({ module: 'memory', method: 'update', input: update }),
      '忘记',
    );
    expect(await press(forget)).toMatchObject({ status: 'success' });
    expect(await press(forget)).toMatchObject({
      status: 'failure',
      error: { code: 'NOT_FOUND' },
      summary: '忘记记忆失败：未找到',
    });
  });
});
