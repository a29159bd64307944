import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Where the checksums of a release are, in the form that `sha256sum --check` reads. */
export const sumsFile = 'SHA256SUMS';

/** The checksums of all files of a folder but their own, by name. */
export async function checksums(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name !== sumsFile).toSorted();
  let sums = '';
  for (const name of names) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), hash);
    sums += `${hash.digest('hex')}  ${name}\n`;
  }
  return sums;
}

/**
 * The notes of a release: its chapter of the changelog.
 *
 * @param missing what could not be made here, each with the reason
 * @throws when the changelog has no such version
 */
export function releaseNotes(changelog: string, version: string, missing: readonly string[]): string {
  const chapter = changelog
    .split(/^## /m)
    .find((text) => text.startsWith(`${version} `) || text.startsWith(`${version}\n`));
  if (chapter === undefined) throw new Error(`CHANGELOG.md has no chapter "## ${version}".`);
  const [, ...changes] = chapter.split('\n');
  const left = missing.map((reason) => `- ${reason}\n`).join('');
  const chapters = [
    `# Topup Kit ${version}`,
    changes.join('\n').replaceAll(/^### /gm, '## ').trim(),
    ...(left === '' ? [] : [`## Not in this folder\n\n${left.trim()}`]),
    `Check the files with \`sha256sum --check ${sumsFile}\`.`,
  ];
  return `${chapters.join('\n\n')}\n`;
}

/** What this uses of a bill of materials in the form CycloneDX. */
export interface Bill {
  components: { name: string; group?: string; version: string; scope?: string; 'bom-ref': string }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
  [field: string]: unknown;
}

/** The packages that a `third-party.txt` names, as `name@version`. */
export const bundledIn = (notices: string): string[] =>
  [...notices.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d+\S*) \(.+\)$/gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );

/**
 * Leaves in a bill what people get: packages whose code is in ours, and packages that npm installs with ours. For pnpm, the former
 * are for development only, because we inline them.
 *
 * @param bundled packages with code in ours, as `name@version`
 * @param installed the names of `dependencies` of our packages
 */
export function deliveredBill(bill: Bill, bundled: readonly string[], installed: readonly string[]): Bill {
  const fullName = ({ group, name }: Bill['components'][number]) => (group ? `${group}/${name}` : name);
  const idOf = (component: Bill['components'][number]) => `${fullName(component)}@${component.version}`;
  const refs = new Set<string>();
  const reach = (ref: string): void => {
    if (refs.has(ref)) return;
    refs.add(ref);
    for (const next of bill.dependencies.find((entry) => entry.ref === ref)?.dependsOn ?? []) reach(next);
  };
  for (const component of bill.components)
    if (installed.includes(fullName(component))) reach(component['bom-ref']);
  // After what npm installs: a package can be both, and its dependencies are delivered only in that case.
  for (const component of bill.components)
    if (bundled.includes(idOf(component))) refs.add(component['bom-ref']);
  const unknown = bundled.filter((id) => !bill.components.some((component) => idOf(component) === id));
  if (unknown.length > 0) throw new Error(`The bill of materials lacks ${unknown.join(', ')}.`);
  const components = bill.components
    .filter((component) => refs.has(component['bom-ref']))
    .map((component) => ({ ...component, scope: 'required' }));
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((next) => refs.has(next)) }));
  return { ...bill, components, dependencies };
}
