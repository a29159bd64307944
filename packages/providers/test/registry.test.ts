import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { providers } from '../src/registry.ts';

const packages = new URL('../..', import.meta.url).pathname;
const ownFolders = providers.flatMap(({ name }) => [`providers/src/${name}/`, `simulators/src/${name}/`]);

/** Also as in `vipReseller`, `VIP_RESELLER` and `VIP Reseller`. */
const anyName = new RegExp(providers.map(({ name }) => name.replaceAll('-', '[-_ ]?')).join('|'), 'i');

it("names a provider only in the registries and in the provider's folders", () => {
  // Generated from documents, which may name them.
  const files = globSync('*/src/**/*.{ts,tsx,json}', { cwd: packages, exclude: ['**/generated/**'] });
  expect(files.length).toBeGreaterThan(400);
  const naming = files.filter(
    (file) =>
      !ownFolders.some((folder) => file.startsWith(folder)) &&
      anyName.test(readFileSync(packages + file, 'utf8')),
  );
  expect(naming.toSorted()).toEqual(['providers/src/registry.ts', 'simulators/src/registry.ts']);
});
