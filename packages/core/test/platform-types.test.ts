import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../../', import.meta.url));

/** The right sides of `instanceof` in a source file. */
const classesIn = (source: string): string[] =>
  [...source.matchAll(/\binstanceof\s+(?:globalThis\.|window\.|self\.)?(\w+)/g)].map(([, name = '']) => name);

/** Also of browsers: a class that only they have is still a class of the platform. */
const ofBrowsers = ['HTMLElement', 'Window', 'XMLHttpRequest', 'File', 'FileReader', 'DOMParser'];

const isOfPlatform = (name: string): boolean => name in globalThis || ofBrowsers.includes(name);

// Test environments such as jsdom have a second realm, with a Uint8Array, an Error and a Request of its own.
it('never uses instanceof on platform types in core, the SDK and the mock', () => {
  const files = globSync('{core,sdk,mock}/src/**/*.ts', { cwd: packages });
  const found = files.flatMap((file) =>
    classesIn(readFileSync(packages + file, 'utf8'))
      .filter(isOfPlatform)
      .map((name) => `${file}: instanceof ${name}`),
  );
  expect(files.length).toBeGreaterThan(200);
  expect(found).toEqual([]);
});
