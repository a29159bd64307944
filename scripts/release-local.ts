import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import kit from '../package.json' with { type: 'json' };
import server from '../packages/server/package.json' with { type: 'json' };
import { buildExecutable, platformNames } from './executable.ts';
import { packAll, pnpm, publishedNames, tarballOf } from './pack.ts';
import { type Bill, bundledIn, checksums, deliveredBill, releaseNotes, sumsFile } from './release-files.ts';
import { run } from './run.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const [program, ...before] = pnpm;

const inRoot = (...args: string[]): Promise<string> =>
  run(program, [...before, ...args], { cwd: root, env: process.env });

/** The bill of materials of the packages and executables, in the form CycloneDX 1.6. */
async function writeBill(folder: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'topup-release-'));
  const file = join(work, 'sbom.json');
  const filters = publishedNames.map((name) => `--filter=./packages/${name}`);
  const form = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--out', file];
  await inRoot(...filters, 'sbom', ...form);
  // safe: the form that CycloneDX has
  const bill = JSON.parse(await readFile(file, 'utf8')) as Bill;
  const notices = publishedNames.map(async (name) => {
    const listed = await run('tar', ['-tzf', join(folder, tarballOf(name))], { cwd: work });
    const path = 'package/dist/third-party.txt';
    return listed.split('\n').includes(path)
      ? run('tar', ['-xzOf', join(folder, tarballOf(name)), path], { cwd: work })
      : '';
  });
  const bundled = new Set((await Promise.all(notices)).flatMap(bundledIn));
  const delivered = deliveredBill(bill, [...bundled], Object.keys(server.dependencies));
  await writeFile(join(folder, 'sbom.cdx.json'), `${JSON.stringify(delivered, null, 2)}\n`);
  await rm(work, { recursive: true });
}

/** The documentation as one archive: the site, for any static host. */
async function writeSite(folder: string): Promise<void> {
  await inRoot('docs:build');
  const site = join(root, 'docs/.vitepress/dist');
  await run('tar', ['-czf', join(folder, 'site.tgz'), '-C', site, '.'], { cwd: root });
}

/** Makes the files of a release in a folder; returns what could not be made here, each with the reason. */
export async function releaseInto(folder: string): Promise<string[]> {
  await rm(folder, { recursive: true, force: true });
  await packAll(folder);
  const missing: string[] = [];
  for (const platform of platformNames)
    try {
      await buildExecutable(platform, folder);
    } catch (error) {
      const [reason] = String(error instanceof Error ? error.message : error).split('\n');
      missing.push(`\`topup-${platform}\`: ${reason}`);
    }
  await writeBill(folder);
  await writeSite(folder);
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  await writeFile(join(folder, 'NOTES.md'), releaseNotes(changelog, kit.version, missing));
  await writeFile(join(folder, sumsFile), await checksums(folder));
  return missing;
}

if (import.meta.main) {
  const folder = join(root, 'dist/release');
  const missing = await releaseInto(folder);
  process.stdout.write(`The release is in ${folder}.\n`);
  for (const reason of missing) process.stderr.write(`Not made here: ${reason}\n`);
}
