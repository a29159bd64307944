import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize, relative } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

/** Matches a link of Markdown. Code blocks are matched first, because they must not be changed. */
const linkOrCode = /^```.*?^```$|`[^`\n]*`|\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)/gms;

/** Returns a text without the comments about the tests of its code blocks. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/^ *<!-- (?:(?!-->)[\s\S])*-->\n/gm, '');

type ReplaceLink = (link: { all: string; label: string; target: string; anchor: string }) => string;

/** Replaces the links of a text to other files of the repository. */
export const replaceLinks = (text: string, replace: ReplaceLink): string =>
  text.replace(linkOrCode, (all: string, label: string | undefined, target = '', anchor = '') =>
    label === undefined || target === '' || URL.canParse(target)
      ? all
      : replace({ all, label, target, anchor }),
  );

/** Returns the paths in the repository to which a text at `from` links. */
function targetsOf(text: string, from: string): string[] {
  const targets: string[] = [];
  replaceLinks(text, ({ all, target }) => {
    targets.push(normalize(join(dirname(from), target)));
    return all;
  });
  return targets;
}

/**
 * Returns the texts of a package as they are packed, by their paths in it. They include the pages of `docs` to which README, API and skills
 * link. Links lead to files of the package; a link to any other file becomes the path in the repository.
 */
export async function packedTexts(name: string): Promise<Map<string, string>> {
  const home = `packages/${name}`;
  const own = globSync(['README.md', 'api.md', 'skills/*/SKILL.md'], { cwd: join(root, home) });
  const packed = new Map(own.map((file) => [`${home}/${file}`, file]));
  for (const path of [...packed.keys()])
    for (const target of targetsOf(await read(path), path))
      if (/^docs\/[^/]+\.md$/.test(target)) packed.set(target, target);
  // This file is for every package, and its links add no pages.
  if (own.some((file) => file.startsWith('skills/'))) packed.set('AGENTS.md', 'AGENTS.md');

  const texts = [...packed].map(async ([source, path]): Promise<[string, string]> => {
    const text = replaceLinks(withoutComments(await read(source)), ({ label, target, anchor }) => {
      const inRepository = normalize(join(dirname(source), target));
      const inPackage = packed.get(inRepository);
      if (inPackage !== undefined) return `[${label}](${relative(dirname(path), inPackage)}${anchor})`;
      const place = `\`${inRepository}\` of the repository`;
      return label === inRepository ? place : `${label} (${place})`;
    });
    // Replaces the command of a clone.
    return [path, text.replaceAll('npx -y pnpm@12 topup', 'npx topup')];
  });
  return new Map(await Promise.all(texts));
}
