import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import workspace from '../../package.json' with { type: 'json' };
import { obstacle } from '../../scripts/release.ts';

const manifest = { name: '@topup-kit/sdk', version: '1.0.0' };

it("doesn't publish with the placeholder for the repository", () => {
  const repository = { url: 'git+https://topup-kit.example/topup-kit.git' };

  expect(obstacle({ ...manifest, repository })).toContain('still the placeholder');
});

it('publishes with a real repository', () => {
  const repository = { url: 'git+https://git.test/shop/topup-kit.git' };

  expect(obstacle({ ...manifest, repository })).toBeUndefined();
});

const workflows = new URL('../../.github/workflows/', import.meta.url);

it.each(await readdir(workflows))('runs only commands of this repository in %s', async (file) => {
  const text = await readFile(new URL(file, workflows), 'utf8');
  const commands = [...text.matchAll(/npx -y pnpm@12 ([\w:-]+)/g)].map(([, command = '']) => command);

  expect(commands).not.toEqual([]);
  expect([...Object.keys(workspace.scripts), 'install', 'exec']).toEqual(expect.arrayContaining(commands));
});

it("runs the README's test commands in CI", async () => {
  const text = await readFile(new URL('ci.yml', workflows), 'utf8');

  for (const command of ['npx -y pnpm@12 test', 'npx -y pnpm@12 test:slow'])
    expect(text).toMatch(new RegExp(`run: ${command}$`, 'm'));
});
