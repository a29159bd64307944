import { afterAll, beforeAll, expect, it } from 'vitest';
import { blocksOf } from '../docs/blocks.ts';
import { beginJourney } from './helpers/journey.ts';
import { type Registry, startRegistry } from './helpers/registry.ts';

let registry: Registry;
// Packs everything first, which takes minutes on a busy machine.
beforeAll(async () => {
  registry = await startRegistry();
}, 1_200_000);
afterAll(() => registry?.[Symbol.asyncDispose]());

it('installs each package from a registry with the commands in the READMEs', {
  timeout: 600_000,
}, async () => {
  await using journey = await beginJourney('From a registry', [], {
    variables: { npm_config_registry: registry.url },
    newerNodeFor: 'the server and the command',
  });
  for (const command of [
    ...blocksOf('packages/sdk/README.md', 'sh', 1),
    ...blocksOf('packages/mock/README.md', 'sh', 1),
    ...blocksOf('packages/server/README.md', 'sh', 1),
    ...blocksOf('packages/cli/README.md', 'sh', 1),
  ])
    await journey.type(command.trim());

  const load =
    "await import('@topup-kit/sdk'); await import('@topup-kit/mock/in-process'); await import('@topup-kit/server')";
  expect(await journey.type(`node --input-type=module --eval "${load}; console.log('loaded')"`)).toBe(
    'loaded\n',
  );
  expect(await journey.type('topup --version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  const skills = await journey.type('ls node_modules/@topup-kit/*/skills/*/SKILL.md');
  expect(skills.trim().split('\n')).toHaveLength(3);
});
