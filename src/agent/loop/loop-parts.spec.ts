import { describe, expect, it } from '@jest/globals';
import { orAbort, untilAborted } from '../../common/abortable.js';
import { CallGuard } from './call-guard.js';
import { systemPrompt } from '../prompt.js';

describe('CallGuard', () => {
  it('ends a row of identical calls at its length', () => {
    const guard = new CallGuard(3);
    expect(guard.admit('f', '{"a":1,"b":[{"x":1,"y":2}]}')).toBe(true);
    expect(guard.admit('f', ' {"b":[{"y":2,"x":1}], "a":1}')).toBe(true);
    expect(guard.admit('f', '{"a":1,"b":[{"x":1,"y":2}]}')).toBe(false);
  });

  it('begins a new row with another call, and tells arrays from objects', () => {
    const guard = new CallGuard(2);
    expect(guard.admit('f', '{"a":["b","c"]}')).toBe(true);
    expect(guard.admit('f', '{"a":{"b":"c"}}')).toBe(true);
    expect(guard.admit('f', '{"a":["b","c"]}')).toBe(true);
    expect(guard.admit('g', '{"a":["b","c"]}')).toBe(true);
    expect(guard.admit('g', '{"a":["b","c"]}')).toBe(false);
  });

  it('compares what is no JSON, or too deep, as text', () => {
    const guard = new CallGuard(2);
    const deep = '['.repeat(5000) + ']'.repeat(5000);
    for (const text of ['{broken', deep]) {
      expect(guard.admit('f', text)).toBe(true);
      expect(guard.admit('f', ` ${text} `)).toBe(false);
    }
  });
});

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
