import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conformanceCases } from '@topup-kit/conformance';
import { describe, expect, it } from 'vitest';
import { mockGaps } from './gaps.ts';
import type { Report } from './report-page.ts';
import { servePage } from './serve-page.ts';

const isInstalled = (program: string): boolean => spawnSync('which', [program]).status === 0;
const [miniBrowser = 'none'] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser');

/** Browsers that Debian has, and how each opens a page. */
const browsers = [
  {
    name: 'Firefox',
    needs: 'needs firefox-esr',
    isThere: isInstalled('firefox-esr'),
    command: (home: string) => ['firefox-esr', '--headless', '--no-remote', '--profile', home],
    userAgent: / Firefox\/\d+/,
  },
  {
    name: 'WebKit',
    needs: 'needs webkit2gtk-driver and xvfb',
    isThere: miniBrowser !== 'none' && isInstalled('xvfb-run'),
    command: () => ['xvfb-run', '--auto-servernum', miniBrowser, '--private'],
    userAgent: / Version\/[\d.]+ Safari\//,
  },
];

/** Opens a page in a browser, and gives what the page reports. */
async function openPage(command: (home: string) => string[]): Promise<Report> {
  await using served = await servePage('./report-page.ts');
  const home = await mkdtemp(join(tmpdir(), 'browser-'));
  // Firefox sends its language to service workers, too, and messages are in that language.
  await writeFile(join(home, 'user.js'), 'user_pref("intl.accept_languages", "id");');
  const [program = '', ...args] = command(home);
  // A group of its own: a browser has several processes, and all must end.
  const browser = spawn(program, [...args, served.url], {
    env: { ...process.env, HOME: home },
    stdio: 'ignore',
    detached: true,
  });
  const ended = once(browser, 'exit');
  try {
    const failed = ended.then(([code]) => {
      throw new Error(`${program} ended with code ${code} before the page reported.`);
    });
    // Safe: the page reports in this shape.
    return JSON.parse(await Promise.race([served.report, failed])) as Report;
  } finally {
    if (browser.pid !== undefined && browser.exitCode === null) process.kill(-browser.pid);
    await ended;
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

describe.each(browsers)('$name ($needs)', ({ isThere, command, userAgent }) => {
  it.skipIf(!isThere)(
    'conforms over MSW except for the known gaps of a mock, and lets the SDK follow an order',
    { timeout: 120_000 },
    async () => {
      const report = await openPage(command);

      expect(report).toMatchObject({ outcome: 'delivered', keyed: 'API_KEY_IN_BROWSER' });
      expect(report.userAgent).toMatch(userAgent);
      const missed = report.results.filter(({ outcome }) => outcome !== 'passed');
      expect(missed.map(({ name }) => name)).toEqual(Object.keys(mockGaps));
      expect(report.results).toHaveLength(conformanceCases.length - 1);
    },
  );
});
