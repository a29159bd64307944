import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** File with the checksums of a release, in the form that `sha256sum --check` reads. */
export const sumsFile = 'SHA256SUMS';

/** Returns the SHA-256 checksum of a file, in hex. */
export async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Returns the checksums of all files of a folder by name, except the file of checksums. */
export async function checksums(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name !== sumsFile).toSorted();
  let sums = '';
  for (const name of names) sums += `${await checksumOf(join(folder, name))}  ${name}\n`;
  return sums;
}

/** Executable of a release. */
export interface Executable {
  file: string;
  /** Version of the Node in the executable. */
  node: string;
  /** Sentence about how it was tried; empty for the executable that tests start. */
  tried: string;
}

const describeExecutable = ({ file, node, tried }: Executable): string =>
  [
    `- \`${file}\` is the command \`topup\` with Node ${node}.`,
    ...(tried === '' ? [] : [tried]),
    ...(file.includes('darwin') ? [`Sign it on a Mac first: \`codesign --sign - ${file}\`.`] : []),
  ].join(' ');

const describeFiles = (executables: readonly Executable[]): string => `## Files

- \`topup-kit-*.tgz\` and \`create-topup-shop.tgz\` are npm packages. Each contains its licences. Install them as in
  \`npm install ./topup-kit-sdk.tgz\`.
${executables.map((executable) => `${describeExecutable(executable)}\n`).join('')}- \`LICENSE\` is the licence of Topup Kit (MIT). \`third-party.txt\` has the licences of all other code in the executables.
- \`site.tgz\` is the documentation for any static host, and \`sbom.cdx.json\` the bill of materials (CycloneDX 1.6).

Check what you downloaded with \`sha256sum --check --ignore-missing ${sumsFile}\`. On a Mac, replace \`sha256sum\` by
\`shasum --algorithm 256\`. The checksums are not signed: they show damaged files, not who made them.`;

/**
 * Creates the notes of a release: its chapter of the changelog, and a description of each file.
 *
 * @param missing files that could not be made here, each with the reason
 * @throws if the changelog has no such version
 */
export function releaseNotes(
  changelog: string,
  version: string,
  executables: readonly Executable[],
  missing: readonly string[],
): string {
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
    describeFiles(executables),
  ];
  return `${chapters.join('\n\n')}\n`;
}

/** Used properties of a component in CycloneDX. */
export interface Component {
  name: string;
  group?: string;
  version: string;
  scope?: string;
  'bom-ref': string;
  [field: string]: unknown;
}

/** Used properties of a bill of materials in CycloneDX. */
export interface Bill {
  metadata: { component: { 'bom-ref': string } };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
  [field: string]: unknown;
}

/** File of a release, and the packages that people get with it. */
export interface Delivery {
  component: Component;
  /** Components whose code is in the file, as `name@version`. */
  bundled: readonly string[];
  /** Names of packages that npm installs with the file. */
  installed: readonly string[];
}

/** Returns the packages that a `third-party.txt` names, as `name@version`. */
export const bundledIn = (notices: string): string[] =>
  [...notices.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d+\S*) \(.+\)$/gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );

/**
 * Reduces a bill to the files of a release and to the packages that people get with them: packages whose code is in ours, and packages that
 * npm installs with ours. For pnpm, the former are only for development, because we inline them.
 */
export function deliveredBill(bill: Bill, deliveries: readonly Delivery[]): Bill {
  const fullName = ({ group, name }: Component) => (group ? `${group}/${name}` : name);
  const idOf = (component: Component) => `${fullName(component)}@${component.version}`;
  const nextOf = (ref: string) => bill.dependencies.find((entry) => entry.ref === ref)?.dependsOn ?? [];
  const refs = new Set<string>();
  const reach = (ref: string): void => {
    if (refs.has(ref)) return;
    refs.add(ref);
    nextOf(ref).forEach(reach);
  };
  const files = deliveries.map(({ component: { 'bom-ref': ref }, bundled, installed }) => {
    const unknown = bundled.filter((id) => !bill.components.some((component) => idOf(component) === id));
    if (unknown.length > 0) throw new Error(`The bill of materials lacks ${unknown.join(', ')}.`);
    const inside = bill.components.filter((component) => bundled.includes(idOf(component)));
    const fromNpm = bill.components.filter(
      (component) => nextOf(ref).includes(component['bom-ref']) && installed.includes(fullName(component)),
    );
    for (const component of fromNpm) reach(component['bom-ref']);
    return { ref, dependsOn: [...new Set([...fromNpm, ...inside].map((part) => part['bom-ref']))] };
  });
  // Added after the packages that npm installs: a package can be both, and its dependencies are delivered only if npm installs it.
  for (const { dependsOn } of files) for (const ref of dependsOn) refs.add(ref);
  const parts = bill.components.filter((component) => refs.has(component['bom-ref']));
  return {
    ...bill,
    components: [...deliveries.map(({ component }) => component), ...parts].map((component) => ({
      ...component,
      scope: 'required',
    })),
    dependencies: [
      { ref: bill.metadata.component['bom-ref'], dependsOn: files.map(({ ref }) => ref) },
      ...files,
      ...[...refs].map((ref) => ({ ref, dependsOn: nextOf(ref).filter((next) => refs.has(next)) })),
    ],
  };
}
