import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { CapabilityRegistry } from '../../src/tool-router/capability-registry.js';
import { startTestRouter, type TestRouter } from '../support/tool-router.js';

const ROOT = resolve(import.meta.dirname, '../..');

/** The guide's code, block by block, under the file names that it gives. */
async function filesOfGuide(): Promise<Map<string, string>> {
  const guide = await readFile(join(ROOT, 'docs/ADDING_A_MODULE.md'), 'utf8');
  const blocks = guide.matchAll(/```ts\n\/\/ src\/modules\/weather\/(\S+)\n([\s\S]*?)```/g);
  return new Map([...blocks].map(([, name = '', code = '']) => [name, code]));
}

/** docs/ADDING_A_MODULE.md, followed to the letter. */
describe('the guide to adding a module', () => {
  let folder: string;
  let router: TestRouter;

  beforeAll(async () => {
    // Beside the real modules, so that the guide's relative imports hold.
    folder = await mkdtemp(join(ROOT, 'src/modules/guide-'));
    const files = await filesOfGuide();
    expect([...files.keys()]).toEqual([
      'weather.dto.ts',
      'weather.ui.ts',
      'weather.commands.ts',
      'weather.module.ts',
    ]);
    for (const [name, code] of files) await writeFile(join(folder, name), code);
    const module = (await import(pathToFileURL(join(folder, 'weather.module.ts')).href)) as {
      WeatherModule: Type<unknown>;
    };
    router = await startTestRouter([module.WeatherModule]);
  }, 60_000);
  afterAll(async () => {
    await router.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('gives a method with a card and a summary', async () => {
    const record = await router.call('weather', 'read', { city: '北京', on_date: '2026-12-01' });
    expect(record).toMatchObject({
      status: 'success',
      result: { data: { city: '北京', onDate: '2026-12-01', sky: 'sunny', high: 2 } },
      summary: '北京最高2度',
      ui_hints: { template: 'weather.read', title: '北京' },
    });
  });

  it('has a summary for data that is not what it expects', () => {
    const summary = router.app.get(CapabilityRegistry).get('weather.read')?.registration.summary;
    expect(summary?.({}, {}, 'zh-CN')).toBe('已查询天气');
    expect(summary?.({}, {}, 'en')).toBe('Looked up the weather');
  });

  it('validates, and answers with coded errors', async () => {
    const wrong = await router.call('weather', 'read', { town: 'Berlin' });
    expect(wrong.error).toMatchObject({ code: 'INVALID_ACTION_INPUT' });
    const unknown = await router.call('weather', 'read', { city: 'Atlantis' });
    expect(unknown.error).toMatchObject({ code: 'NOT_FOUND' });
  });
});
