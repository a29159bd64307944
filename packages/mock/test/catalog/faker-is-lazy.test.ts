import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const tellLoaded = new URL('../../../cli/test/helpers/tell-loaded.ts', import.meta.url).href;

/** The modules that a program loads. */
async function loadedBy(program: string): Promise<string> {
  const flags = ['--conditions=@topup-kit/source', '--import', tellLoaded, '--input-type=module', '--eval'];
  const { stderr } = await promisify(execFile)(process.execPath, [...flags, program], {
    cwd: new URL('..', import.meta.url),
    maxBuffer: 2 ** 24,
  });
  return stderr;
}

const faker = /^loaded .*@faker-js/m;

it('a mock loads no faker', async () => {
  const loaded = await loadedBy(
    `import { createTopupMock } from '@topup-kit/mock';
     const mock = createTopupMock();
     await mock.fetch(mock.baseUrl + '/games');`,
  );

  expect(loaded).toContain('mock/src/index.ts');
  expect(loaded).not.toMatch(faker);
});

it('a generated catalogue loads the languages that it knows, and no other', async () => {
  const loaded = await loadedBy(`import '@topup-kit/mock/catalog';`);

  expect(loaded).toMatch(faker);
  expect(loaded).not.toMatch(/@faker-js\/faker\/dist\/index\.js/);
});
