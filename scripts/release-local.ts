import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import kit from '../package.json' with { type: 'json' };
import {
  buildExecutable,
  executableOf,
  nodeLicences,
  type Platform,
  platformNames,
  platforms,
} from './executable.ts';
import { type PublishedName, packAll, pnpm, publishedNames, tarballOf } from './pack.ts';
import {
  type Bill,
  bundledIn,
  type Component,
  checksumOf,
  checksums,
  type Delivery,
  deliveredBill,
  type Executable,
  releaseNotes,
  sumsFile,
} from './release-files.ts';
import { run } from './run.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const [program, ...before] = pnpm;

const inRoot = (...args: string[]): Promise<string> =>
  run(program, [...before, ...args], { cwd: root, env: process.env });

const readPacked = (folder: string, name: PublishedName, path: string): Promise<string> =>
  run('tar', ['-xzOf', join(folder, tarballOf(name)), `package/${path}`], { cwd: folder });

/** Returns the licences of the packages whose code is in a package of ours; empty if there are none. */
const noticesIn = (folder: string, name: PublishedName): Promise<string> =>
  readPacked(folder, name, 'dist/third-party.txt').catch(() => '');

async function packageDelivery(folder: string, name: PublishedName): Promise<Delivery> {
  const manifest = JSON.parse(await readPacked(folder, name, 'package.json'));
  const [scope, ownName = scope] = manifest.name.split('/');
  const purl = `pkg:npm/${manifest.name.replace('@', '%40')}@${manifest.version}`;
  const { version, description } = manifest;
  const component = {
    ...(ownName !== scope && { group: scope }),
    type: 'library',
    name: ownName,
    version,
    description,
    purl,
    'bom-ref': purl,
    licenses: [{ license: { id: manifest.license } }],
    hashes: [{ alg: 'SHA-256', content: await checksumOf(join(folder, tarballOf(name))) }],
  };
  return {
    component,
    bundled: bundledIn(await noticesIn(folder, name)),
    installed: Object.keys(manifest.dependencies ?? {}),
  };
}

async function executableDelivery(
  folder: string,
  { file, node }: Executable,
  bundled: readonly string[],
): Promise<Delivery> {
  const component = {
    type: 'application',
    name: file,
    version: kit.version,
    'bom-ref': file,
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: 'SHA-256', content: await checksumOf(join(folder, file)) }],
  };
  return { component, bundled: [...bundled, `node@${node}`], installed: [] };
}

const nodeComponent = (version: string): Component => ({
  type: 'platform',
  name: 'node',
  version,
  'bom-ref': `node@${version}`,
  cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
});

/** Writes the bill of materials of the packages and executables, in CycloneDX 1.6. */
async function writeBill(folder: string, executables: readonly Executable[]): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'topup-release-'));
  const file = join(work, 'sbom.json');
  const filters = publishedNames.map((name) => `--filter=./packages/${name}`);
  const form = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--out', file];
  await inRoot(...filters, 'sbom', ...form);
  // Safe: this is the form of CycloneDX.
  const bill = JSON.parse(await readFile(file, 'utf8')) as Bill;
  await rm(work, { recursive: true });
  const nodes = [...new Set(executables.map(({ node }) => node))].map(nodeComponent);
  const packages = await Promise.all(publishedNames.map((name) => packageDelivery(folder, name)));
  const inCommand = bundledIn(await noticesIn(folder, 'cli'));
  const files = await Promise.all(executables.map((each) => executableDelivery(folder, each, inCommand)));
  const whole = { ...bill, components: [...bill.components, ...nodes] };
  const delivered = deliveredBill(whole, [...packages, ...files]);
  await writeFile(join(folder, 'sbom.cdx.json'), `${JSON.stringify(delivered, null, 2)}\n`);
}

/** Writes the documentation as one archive: a site for any static host. */
async function writeSite(folder: string): Promise<void> {
  await inRoot('docs:build');
  const site = join(root, 'docs/.vitepress/dist');
  await run('tar', ['-czf', join(folder, 'site.tgz'), '-C', site, '.'], { cwd: root });
}

function triedOf(platform: Platform): string {
  if (platform === 'linux-x64') return '';
  return platform === 'linux-arm64' ? 'It ran only in an emulator.' : 'It was never started.';
}

/** Makes the files of a release in a folder. Returns the files that could not be made here, each with the reason. */
export async function releaseInto(folder: string): Promise<string[]> {
  await rm(folder, { recursive: true, force: true });
  await packAll(folder);
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const missing: string[] = [];
  const attempt = async (file: string, make: () => Promise<unknown>): Promise<boolean> => {
    try {
      await make();
      return true;
    } catch (error) {
      const [reason] = String(error instanceof Error ? error.message : error).split('\n');
      missing.push(`\`${file}\`: ${reason}`);
      return false;
    }
  };
  const executables: Executable[] = [];
  for (const platform of platformNames) {
    const file = executableOf(platform);
    if (await attempt(file, () => buildExecutable(platform, folder)))
      executables.push({ file, node: platforms[platform].version, tried: triedOf(platform) });
  }
  await attempt('third-party.txt', async () => {
    const texts = [
      await noticesIn(folder, 'cli'),
      'The executables also contain Node.\n',
      await nodeLicences(),
    ];
    await writeFile(join(folder, 'third-party.txt'), texts.join('\n'));
  });
  await writeBill(folder, executables);
  await writeSite(folder);
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  await writeFile(join(folder, 'NOTES.md'), releaseNotes(changelog, kit.version, executables, missing));
  await writeFile(join(folder, sumsFile), await checksums(folder));
  return missing;
}

if (import.meta.main) {
  const folder = join(root, 'dist/release');
  const missing = await releaseInto(folder);
  process.stdout.write(`The release is in ${folder}.\n`);
  for (const reason of missing) process.stderr.write(`Not made here: ${reason}\n`);
}
