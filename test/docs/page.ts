import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

/** Top of the repository. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** A page for people, as Markdown. */
export interface Page {
  /** From the top of the repository: `docs/EVENTS.md`. */
  path: string;
  text: string;
}

/** Every page that the README leads to, and that of the tests of security. */
export async function readPages(): Promise<Page[]> {
  const docs = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md'));
  const paths = [
    'README.md',
    'README.zh-CN.md',
    'CONTRIBUTING.md',
    'web/client/README.md',
    'test/security/README.md',
    ...docs.map((name) => `docs/${name}`),
  ];
  return Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(join(ROOT, path), 'utf8') })),
  );
}

/** What a page links to outside of code, without addresses of other hosts. */
export function linksOf({ path, text }: Page): { link: string; file: string; anchor: string }[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [file = '', anchor = ''] = link.split('#');
      const target = file === '' ? path : relative(ROOT, join(ROOT, dirname(path), file));
      return { link, file: target, anchor };
    });
}

/** The anchors that GitHub gives the headings of a page. */
export function anchorsOf({ text }: Page): Set<string> {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '');
  return new Set(
    [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Scripts of package.json that a page has somebody run. */
export function scriptsOf({ text }: Page): string[] {
  return [...text.matchAll(/\bnpm (?:run(?: -s)? )([a-z][\w:-]*)/g)].map(([, name = '']) => name);
}

/** Names in capitals with a line below: variables, codes, types of events. */
export function constantsOf({ text }: Page): string[] {
  return [...text.matchAll(/(?<![\w…-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w…*]|\.md)/g)].map(
    ([name]) => name,
  );
}

/** Files and folders of the repository that a page names in code. */
export function filesOf({ text }: Page): string[] {
  const named = /`((?:src|test|scripts|docs|bench|web|migrations|contracts|\.ci)\/[^`\s]*)`/g;
  return [...text.matchAll(named)].map(([, file = '']) => file);
}

/** Routes that a page names, as `[method, path]`; without a method it is null. */
export function routesOf({ text }: Page): [method: string | null, path: string][] {
  const named = text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`\s,;)]*)`?/g);
  const called = text.matchAll(/(?:\$(?:base|API)|\/api\/v1)(\/[\w{}$./:-]*)/g);
  return [
    ...[...named].map(([, method = '', path = '']): [string, string] => [method, path]),
    ...[...called].map(([, path = '']): [null, string] => [null, path]),
  ];
}
