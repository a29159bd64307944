import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import kit from '../../package.json' with { type: 'json' };
import { platformNames } from '../../scripts/executable.ts';
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
const executableOf = (platform: string) => `topup-${platform}${platform.startsWith('win') ? '.exe' : ''}`;

it('contains tarballs, executables, checksums, a bill of materials, notes and the site', async () => {
  const made = platformNames.filter((name) => !missing.some((reason) => reason.includes(`topup-${name}\``)));
  expect(made.length).toBeGreaterThan(0);
  expect((await readdir(folder)).toSorted()).toEqual(
    [
      ...publishedNames.map(tarballOf),
      ...made.map(executableOf),
      ...['SHA256SUMS', 'sbom.cdx.json', 'NOTES.md', 'site.tgz'],
    ].toSorted(),
  );
});

it('names each missing executable in the notes', async () => {
  const notes = await read('NOTES.md');
  expect(notes).toMatch(new RegExp(`^# Topup Kit ${kit.version}\n`));
  for (const reason of missing) expect(notes).toContain(reason);
});

it('has checksums that sha256sum accepts', async () => {
  const { stdout } = await promisify(execFile)('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder });
  const files = (await readdir(folder)).filter((name) => name !== 'SHA256SUMS');
  expect(stdout.trim().split('\n').toSorted()).toEqual(files.map((name) => `${name}: OK`).toSorted());
});

it('has a bill of materials for everything delivered', async () => {
  const { bomFormat, specVersion, components } = JSON.parse(await read('sbom.cdx.json'));
  expect([bomFormat, specVersion]).toEqual(['CycloneDX', '1.6']);
  const names = components.map((component: { group?: string; name: string }) =>
    component.group ? `${component.group}/${component.name}` : component.name,
  );
  expect(names).toEqual(expect.arrayContaining(['ky', 'zod', 'postgres', 'commander', 'pino']));
  expect(names).not.toContain('vite');
  expect(names).not.toContain('vitest');
});

it.runIf(`${process.platform}-${process.arch}` === 'linux-x64')(
  'has an executable that runs here',
  async () => {
    const { stdout } = await promisify(execFile)(join(folder, 'topup-linux-x64'), ['--version']);
    expect(stdout).toBe(`${kit.version}\n`);
  },
);
