import { describe, expect, it } from '@jest/globals';
import { orAbort, untilAborted } from '../../common/abortable.js';
import { systemPrompt } from '../prompt.js';

describe('abortable', () => {
  it('leaves a source that does not listen', async () => {
    const controller = new AbortController();
    let returned = false;
    const source: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        return: () => {
          returned = true;
          return new Promise(() => undefined);
        },
      }),
    };
    const reading = untilAborted(source, controller.signal).next();
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(returned).toBe(true);
  });

  it('lets work that ends in its grace say what it did', async () => {
    const controller = new AbortController();
    const work = new Promise<string>((resolve) => {
      controller.signal.addEventListener('abort', () => setTimeout(() => resolve('done'), 5));
    });
    const waiting = orAbort(work, controller.signal, 5_000);
    controller.abort(new Error('enough'));
    expect(await waiting).toBe('done');
    await expect(orAbort(new Promise(() => undefined), controller.signal)).rejects.toThrow(
      'enough',
    );
  });
});

describe('systemPrompt', () => {
  const facts = {
    now: new Date('2026-04-20T20:30:00Z'),
    timezone: 'Asia/Shanghai',
    locale: 'zh-CN' as const,
    displayName: 'Lin',
    skills: [],
  };

  it('says the person’s own date, zone and language', () => {
    const prompt = systemPrompt(facts);
    expect(prompt).toContain('Tuesday, 2026-04-21 04:30 in Asia/Shanghai (UTC+08:00)');
    expect(prompt).toContain('Lin');
    expect(prompt).toContain('简体中文');
    expect(systemPrompt({ ...facts, timezone: 'UTC' })).toContain('(UTC+00:00)');
  });

  it('lists skills only when there are some', () => {
    expect(systemPrompt(facts)).not.toContain('Skills');
    const skills = [{ name: 'calendar', description: 'How to plan' }];
    expect(systemPrompt({ ...facts, skills })).toContain('- calendar: How to plan');
  });
});
