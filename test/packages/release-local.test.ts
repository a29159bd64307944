import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bundledIn, checksums, deliveredBill, releaseNotes } from '../../scripts/release-files.ts';

it('lists the checksums of all files except its own, like sha256sum', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'topup-release-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'b.txt'), 'abc');
  await writeFile(join(folder, 'a.txt'), '');
  await writeFile(join(folder, 'SHA256SUMS'), 'old');

  // The test vectors of FIPS 180-4.
  expect(await checksums(folder)).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.txt\n' +
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b.txt\n',
  );
});

const changelog = `# Changelog

## 0.2.0

### SDK

- New.

## 0.1.0 (not released)

### SDK

- A client.
`;

it("reads a version's notes from its section of the changelog", () => {
  const notes = releaseNotes(changelog, '0.1.0', [], []);
  expect(notes).toMatch(/^# Topup Kit 0\.1\.0\n\n## SDK\n\n- A client\.\n\n## Files\n/);
  expect(notes).toContain('`sha256sum --check --ignore-missing SHA256SUMS`');
  expect(releaseNotes(changelog, '0.2.0', [], [])).not.toContain('A client');
});

it('explains how each executable was tested, and which executables need a signature', () => {
  const linux = { file: 'topup-linux-x64', node: '24.1.0', tried: '' };
  const mac = { file: 'topup-darwin-arm64', node: '26.1.0', tried: 'It was never started.' };
  expect(releaseNotes(changelog, '0.1.0', [linux, mac], [])).toContain(
    '- `topup-linux-x64` is the command `topup` with Node 24.1.0.\n' +
      '- `topup-darwin-arm64` is the command `topup` with Node 26.1.0. It was never started. ' +
      'Sign it on a Mac first: `codesign --sign - topup-darwin-arm64`.\n',
  );
});

it('names in the notes what could not be built, and why', () => {
  expect(releaseNotes(changelog, '0.1.0', [], ['`topup-win-x64`: no Node'])).toContain(
    '## Not in this folder\n\n- `topup-win-x64`: no Node\n',
  );
});

it('rejects a version that the changelog lacks', () => {
  expect(() => releaseNotes(changelog, '0.1', [], [])).toThrow('CHANGELOG.md has no chapter "## 0.1".');
});

const component = (name: string, scope: string, group?: string) => ({
  name,
  scope,
  version: '1.0.0',
  'bom-ref': `ref:${name}`,
  ...(group !== undefined && { group }),
});
const bill = {
  specVersion: '1.6',
  metadata: { component: { 'bom-ref': 'ref:kit' } },
  components: [
    component('ky', 'excluded'),
    component('vite', 'excluded'),
    component('api', 'required', '@opentelemetry'),
    component('core', 'required'),
  ],
  dependencies: [
    { ref: 'ref:server', dependsOn: ['ref:ky', 'ref:api', 'ref:vite'] },
    { ref: 'ref:ky', dependsOn: ['ref:vite'] },
    { ref: 'ref:api', dependsOn: ['ref:core'] },
    { ref: 'ref:core' },
    { ref: 'ref:vite' },
  ],
};
const server = component('server', 'required', '@topup-kit');
const npmInstalls = ['@opentelemetry/api'];

it("lists the kit's files, and bundled and installed packages, in the bill of materials, but no tools", () => {
  const delivered = deliveredBill(bill, [
    { component: server, bundled: ['ky@1.0.0'], installed: npmInstalls },
  ]);

  expect(delivered.components.map(({ name, scope }) => [name, scope])).toEqual([
    ['server', 'required'],
    ['ky', 'required'],
    ['api', 'required'],
    ['core', 'required'],
  ]);
  expect(delivered.dependencies).toEqual([
    { ref: 'ref:kit', dependsOn: ['ref:server'] },
    { ref: 'ref:server', dependsOn: ['ref:api', 'ref:ky'] },
    { ref: 'ref:api', dependsOn: ['ref:core'] },
    { ref: 'ref:core', dependsOn: [] },
    { ref: 'ref:ky', dependsOn: [] },
  ]);
  expect(delivered.specVersion).toBe('1.6');
});

it("follows the dependencies of a package that one of the kit's packages bundles and another installs", () => {
  const cli = {
    component: component('cli', 'required'),
    bundled: ['@opentelemetry/api@1.0.0'],
    installed: [],
  };
  const delivered = deliveredBill(bill, [cli, { component: server, bundled: [], installed: npmInstalls }]);

  expect(delivered.components.map(({ name }) => name)).toEqual(['cli', 'server', 'api', 'core']);
});

it('rejects a bill of materials that lacks a bundled package', () => {
  const delivery = { component: server, bundled: ['zod@4.0.0'], installed: [] };
  expect(() => deliveredBill(bill, [delivery])).toThrow('lacks zod@4.0.0');
});

it('reads the bundled packages from the notices of a package', () => {
  const notices = `This package contains these others.

@hono/node-server 2.1.8 (MIT)

Copyright 2020 (c) Somebody

${'-'.repeat(80)}

ky 2.1.0 (MIT)
`;
  expect(bundledIn(notices)).toEqual(['@hono/node-server@2.1.8', 'ky@2.1.0']);
});
