import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import kit from '../../package.json' with { type: 'json' };
import { executableOf, platformNames, platforms } from '../../scripts/executable.ts';
import { publishedNames, tarballOf } from '../../scripts/pack.ts';
import { releaseInto } from '../../scripts/release-local.ts';

let folder: string;
let missing: string[];

beforeAll(async () => {
  folder = join(await mkdtemp(join(await realpath(tmpdir()), 'topup-release-')), 'release');
  missing = await releaseInto(folder);
}, 1_200_000);
afterAll(() => rm(join(folder, '..'), { recursive: true, force: true }));

const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

it('contains tarballs, executables, checksums, a bill of materials, notes and the site', async () => {
  const files = [...platformNames.map(executableOf), 'third-party.txt'];
  const made = files.filter((file) => !missing.some((reason) => reason.startsWith(`\`${file}\``)));
  expect(made.length).toBeGreaterThan(0);
  expect((await readdir(folder)).toSorted()).toEqual(
    [
      ...publishedNames.map(tarballOf),
      ...made,
      ...['LICENSE', 'SHA256SUMS', 'sbom.cdx.json', 'NOTES.md', 'site.tgz'],
    ].toSorted(),
  );
});

it('names each missing executable in the notes', async () => {
  const notes = await read('NOTES.md');
  expect(notes).toMatch(new RegExp(`^# Topup Kit ${kit.version}\n`));
  for (const reason of missing) expect(notes).toContain(reason);
});

it('contains the licences of Node and of the packages in the executables', async () => {
  const licences = await read('third-party.txt');
  expect(licences).toMatch(/^commander \d/m);
  expect(licences).toContain('Node.js is licensed for use as follows');
  expect(await read('LICENSE')).toContain('MIT');
});

it('contains checksums that sha256sum accepts', async () => {
  const { stdout } = await promisify(execFile)('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder });
  const files = (await readdir(folder)).filter((name) => name !== 'SHA256SUMS');
  expect(stdout.trim().split('\n').toSorted()).toEqual(files.map((name) => `${name}: OK`).toSorted());
});

it('has a bill of materials for all delivered files', async () => {
  const { bomFormat, specVersion, components, dependencies } = JSON.parse(await read('sbom.cdx.json'));
  expect([bomFormat, specVersion]).toEqual(['CycloneDX', '1.6']);
  const names = components.map((component: { group?: string; name: string }) =>
    component.group ? `${component.group}/${component.name}` : component.name,
  );
  expect(names).toEqual(expect.arrayContaining(['ky', 'zod', 'postgres', 'commander', 'pino']));
  expect(names).toEqual(
    expect.arrayContaining(['create-topup-shop', '@topup-kit/sdk', 'topup-linux-x64', 'node']),
  );
  const refs = components.map((component: { 'bom-ref': string }) => component['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  expect(dependencies.flatMap((entry: { dependsOn: string[] }) => entry.dependsOn)).toEqual(
    expect.arrayContaining(refs),
  );
  expect(names).not.toContain('vite');
  expect(names).not.toContain('vitest');
});

/** The format and the machine of an executable, from its header. */
function formatOf(bytes: Buffer): string {
  if (bytes.toString('latin1', 1, 4) === 'ELF') return `ELF ${bytes.readUInt16LE(18).toString(16)}`;
  if (bytes.toString('latin1', 0, 2) === 'MZ')
    return `PE ${bytes.readUInt16LE(bytes.readUInt32LE(0x3c) + 4).toString(16)}`;
  return `Mach-O ${bytes.readUInt32LE(0).toString(16)} ${bytes.readUInt32LE(4).toString(16)}`;
}

/** The machine numbers of the three formats. */
const formats = {
  'linux-x64': 'ELF 3e',
  'linux-arm64': 'ELF b7',
  'darwin-x64': 'Mach-O feedfacf 1000007',
  'darwin-arm64': 'Mach-O feedfacf 100000c',
  'win-x64': 'PE 8664',
  'win-arm64': 'PE aa64',
};

// No machine here starts the others.
it.each(platformNames)(
  'the executable for %s has the format of its machine, and the command inside',
  async (platform) => {
    const file = executableOf(platform);
    if (missing.some((reason) => reason.startsWith(`\`${file}\``))) return;
    const bytes = await readFile(join(folder, file));
    expect(formatOf(bytes)).toBe(formats[platform]);
    // Node runs the program inside only with this mark.
    expect(bytes.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1')).toBe(true);
    expect(bytes.includes('Games, orders, promos, keys and servers of a top-up service.')).toBe(true);
    expect(bytes.includes(`v${platforms[platform].version}`)).toBe(true);
  },
);

it.runIf(`${process.platform}-${process.arch}` === 'linux-x64')(
  'contains an executable that runs here',
  async () => {
    const { stdout } = await promisify(execFile)(join(folder, 'topup-linux-x64'), ['--version']);
    expect(stdout).toBe(`${kit.version}\n`);
  },
);
