import { beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  anchorsOf,
  constantsOf,
  filesOf,
  linksOf,
  readPages,
  ROOT,
  routesOf,
  scriptsOf,
  type Page,
} from './page.js';

const NAMED = /[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+/g;

/** Names of other programs, which no code of ours has. */
const FOREIGN = new Set(['MINIO_ROOT_USER', 'MINIO_ROOT_PASSWORD', 'OLLAMA_CONTEXT_LENGTH']);
/** What somebody makes who does what a page says. */
const MADE = new Set([
  'web/client/dist/index.js',
  'src/modules/weather/',
  'test/cards/hints-v1/weather.read.json',
]);

describe('the pages', () => {
  let pages: Page[];
  /** Of every page what `found` gives, as `page: what`. */
  const faults = (found: (page: Page) => string[]): string[] =>
    pages.flatMap((page) => [...new Set(found(page))].map((what) => `${page.path}: ${what}`));

  beforeAll(async () => {
    pages = await readPages();
    expect(pages.length).toBeGreaterThan(15);
  });

  it('link to pages and headings that exist', () => {
    const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]));
    const dead = faults((page) =>
      linksOf(page)
        .filter(({ file, anchor }) => {
          if (!existsSync(join(ROOT, file))) return true;
          return anchor !== '' && anchors.get(file)?.has(anchor) !== true;
        })
        .map(({ link }) => link),
    );
    expect(dead).toEqual([]);
  });

  it('are all reached from the README', () => {
    const known = new Map(pages.map((page) => [page.path, page]));
    const reached = new Set<string>();
    const follow = (path: string): void => {
      const page = known.get(path);
      if (!page || reached.has(path)) return;
      reached.add(path);
      for (const { file } of linksOf(page)) follow(file);
    };
    follow('README.md');
    expect([...known.keys()].filter((path) => !reached.has(path))).toEqual([]);
  });

  it('have people run scripts that exist', async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(faults((page) => scriptsOf(page).filter((name) => !(name in scripts)))).toEqual([]);
  });

  it('name variables, codes and events that the code knows', async () => {
    const known = await constantsOfCode();
    const unknown = faults((page) =>
      constantsOf(page).filter((name) => !known.has(name) && !FOREIGN.has(name)),
    );
    expect(unknown).toEqual([]);
  });

  it('name files that exist', () => {
    const missing = faults((page) =>
      filesOf(page).filter((file) => !MADE.has(file) && !existsSync(join(ROOT, file))),
    );
    expect(missing).toEqual([]);
  });

  it('name routes that exist', async () => {
    const { paths } = JSON.parse(await readFile(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const routes = Object.entries(paths).map(([path, methods]) => ({
      path: path.replace(/^\/api\/v1/, '').split('/'),
      methods: Object.keys(methods).map((method) => method.toUpperCase()),
    }));
    const exists = ([method, named]: [string | null, string]): boolean => {
      const path = named
        .replace(/^\/api\/v1/, '')
        .replace(/\?.*$/, '')
        .split('/');
      return routes.some(
        (route) =>
          (method === null || route.methods.includes(method)) &&
          route.path.length === path.length &&
          route.path.every((part, index) => matches(part, path[index] ?? '')),
      );
    };
    const missing = faults((page) =>
      routesOf(page)
        .filter((route) => !exists(route))
        .map(([method, path]) => `${method ?? ''} ${path}`.trim()),
    );
    expect(missing).toEqual([]);
  });
});

/** Whether a part of a path may stand where the route has this one. */
function matches(part: string, named: string): boolean {
  return part.startsWith('{') ? named !== '' : part === named;
}

/** What the code names. A spec may name what is no more: only what it reads of the environment counts. */
async function constantsOfCode(): Promise<Set<string>> {
  const files = [join(ROOT, 'package.json')];
  for (const folder of ['src', 'scripts', 'test']) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
    for (const { name, parentPath } of entries) {
      if (/\.(ts|mjs)$/.test(name)) files.push(join(parentPath, name));
    }
  }
  const known = new Set<string>();
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    const counts = file.endsWith('.spec.ts')
      ? (text.match(/^.*process\.env.*$/gm) ?? []).join('\n')
      : text;
    for (const [name] of counts.matchAll(NAMED)) known.add(name);
  }
  return known;
}
