import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize, relative } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

/** A link of Markdown; the code blocks, which it must not touch, are matched first. */
const linkOrCode = /^```.*?^```$|`[^`\n]*`|\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)/gms;

/** A text without the comments that say how its blocks are tested. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/^ *<!-- (?:(?!-->)[\s\S])*-->\n/gm, '');

type ReplaceLink = (link: { all: string; label: string; target: string; anchor: string }) => string;

/** Replaces the links of a text that lead to another file of the repository. */
export const replaceLinks = (text: string, replace: ReplaceLink): string =>
  text.replace(linkOrCode, (all: string, label: string | undefined, target = '', anchor = '') =>
    label === undefined || target === '' || URL.canParse(target)
      ? all
      : replace({ all, label, target, anchor }),
  );

/** The paths in the repository that a text at `from` links to. */
function targetsOf(text: string, from: string): string[] {
  const targets: string[] = [];
  replaceLinks(text, ({ all, target }) => {
    targets.push(normalize(join(dirname(from), target)));
    return all;
  });
  return targets;
}

/**
 * The texts of a package as they are packed, by their paths in it. The pages of `docs` that README, API and skills link
 * to come along, and links are those of the package; a link to what is not in it becomes the path in the repository.
 */
export async function packedTexts(name: string): Promise<Map<string, string>> {
  const home = `packages/${name}`;
  const own = globSync(['README.md', 'api.md', 'skills/*/SKILL.md'], { cwd: join(root, home) });
  const packed = new Map(own.map((file) => [`${home}/${file}`, file]));
  for (const path of [...packed.keys()])
    for (const target of targetsOf(await read(path), path))
      if (/^docs\/[^/]+\.md$/.test(target)) packed.set(target, target);
  // It is for every package, and brings no page along.
  if (own.some((file) => file.startsWith('skills/'))) packed.set('AGENTS.md', 'AGENTS.md');

  const texts = [...packed].map(async ([source, path]): Promise<[string, string]> => {
    const text = replaceLinks(withoutComments(await read(source)), ({ label, target, anchor }) => {
      const inRepository = normalize(join(dirname(source), target));
      const inPackage = packed.get(inRepository);
      if (inPackage !== undefined) return `[${label}](${relative(dirname(path), inPackage)}${anchor})`;
      const place = `\`${inRepository}\` of the repository`;
      return label === inRepository ? place : `${label} (${place})`;
    });
    // The command of a clone.
    return [path, text.replaceAll('npx -y pnpm@12 topup', 'npx topup')];
  });
  return new Map(await Promise.all(texts));
}
