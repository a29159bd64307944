import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import packagedChromium from '@sparticuz/chromium';
import { expect, it, vi } from 'vitest';
import { connectBrowser, soon } from '../../packages/server/test/helpers/browser.ts';
import { freePort } from '../../test/free-port.ts';
import { createProject } from './helpers/project.ts';

// The recipe for Vitest is not here: Vitest runs it directly.

// Each test starts several processes, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

it('Jest: the unchanged tests pass', async () => {
  await using project = await createProject('jest');

  const output = await project.run('test', ['--json']);

  expect(JSON.parse(output)).toMatchObject({ success: true, numPassedTests: 3 });
});

/** Configures the runner for the packaged browser and a free port. */
async function configure(folder: string): Promise<void> {
  const config = join(folder, 'playwright.config.ts');
  const text = await readFile(config, 'utf8');
  await writeFile(config, text.replaceAll('5175', String(await freePort())));
  const launchOptions = {
    executablePath: process.env.TOPUP_TEST_CHROMIUM ?? (await packagedChromium.executablePath()),
    chromiumSandbox: false,
    args: ['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  };
  await writeFile(
    join(folder, 'here.config.ts'),
    `import { defineConfig } from '@playwright/test';
     import config from './playwright.config.ts';
     export default defineConfig(config, { use: ${JSON.stringify({ launchOptions })} });`,
  );
}

it('Playwright: the unchanged tests pass', async () => {
  await using project = await createProject('playwright');
  await configure(project.folder);

  const output = await project.run('test', ['--config=here.config.ts', '--reporter=json', '--workers=1']);

  expect(JSON.parse(output).stats).toMatchObject({ expected: 3, unexpected: 0, flaky: 0, skipped: 0 });
});

it('Vite + React: the development server shows the catalogue of the mock', async () => {
  await using project = await createProject('vite-react');
  const port = await freePort();
  await using _server = project.start('dev', ['--host', '127.0.0.1', '--port', String(port), '--strictPort']);
  const url = `http://127.0.0.1:${port}/`;
  const isReachable = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReachable, soon).toBe(true);

  await using browser = await connectBrowser();
  const page = await browser.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  await page.goto(url);
  const game = page.getByRole('listitem').filter({ hasText: 'Mobile Legends: Bang Bang' });
  await game.waitFor();
  const isDrawn = () =>
    game.locator('img').evaluate((node) => node instanceof HTMLImageElement && node.naturalWidth > 0);

  await expect.poll(isDrawn, soon).toBe(true);
  expect(failures).toEqual([]);
});

it('Vite + React: a build contains nothing of the mock', async () => {
  await using project = await createProject('vite-react');

  await project.run('build');

  const assets = join(project.folder, 'dist/assets');
  const files = await readdir(assets);
  const texts = await Promise.all(files.map((file) => readFile(join(assets, file), 'utf8')));
  expect(texts.join('')).toContain('The service responded');
  expect(texts.join('')).not.toMatch(/Mobile Legends|mockServiceWorker/);
});
