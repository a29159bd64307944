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

it("reads a version's notes from its chapter of the changelog", () => {
  expect(releaseNotes(changelog, '0.1.0', [])).toBe(
    '# Topup Kit 0.1.0\n\n## SDK\n\n- A client.\n\nCheck the files with `sha256sum --check SHA256SUMS`.\n',
  );
  expect(releaseNotes(changelog, '0.2.0', [])).not.toContain('A client');
});

it('names in the notes what could not be built, and why', () => {
  expect(releaseNotes(changelog, '0.1.0', ['`topup-win-x64`: no Node'])).toContain(
    '## Not in this folder\n\n- `topup-win-x64`: no Node\n',
  );
});

it('rejects a version that the changelog lacks', () => {
  expect(() => releaseNotes(changelog, '0.1', [])).toThrow('CHANGELOG.md has no chapter "## 0.1".');
});

const component = (name: string, scope: string, group?: string) => ({
  ...{ name, scope, version: '1.0.0', 'bom-ref': `ref:${name}` },
  ...(group !== undefined && { group }),
});
const bill = {
  specVersion: '1.6',
  components: [
    component('ky', 'excluded'),
    component('vite', 'excluded'),
    component('api', 'required', '@opentelemetry'),
    component('core', 'required'),
  ],
  dependencies: [
    { ref: 'ref:ky', dependsOn: ['ref:vite'] },
    { ref: 'ref:api', dependsOn: ['ref:core'] },
    { ref: 'ref:core' },
    { ref: 'ref:vite' },
  ],
};

it('lists bundled and installed packages in the bill of materials, and no tool', () => {
  const delivered = deliveredBill(bill, ['ky@1.0.0'], ['@opentelemetry/api']);

  expect(delivered.components.map(({ name, scope }) => [name, scope])).toEqual([
    ['ky', 'required'],
    ['api', 'required'],
    ['core', 'required'],
  ]);
  expect(delivered.dependencies).toContainEqual({ ref: 'ref:ky', dependsOn: [] });
  expect(delivered.specVersion).toBe('1.6');
});

it('follows the dependencies of a package that is bundled in one of ours and installed with another', () => {
  const delivered = deliveredBill(bill, ['@opentelemetry/api@1.0.0'], ['@opentelemetry/api']);

  expect(delivered.components.map(({ name }) => name)).toEqual(['api', 'core']);
});

it('rejects a bill of materials that lacks a bundled package', () => {
  expect(() => deliveredBill(bill, ['zod@4.0.0'], [])).toThrow('lacks zod@4.0.0');
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
