import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import outside from './test/outside.json' with { type: 'json' };

const source = ['@topup-kit/source'];
/** What is slow by nature, such as hundreds of kills, or packages as they are published: `pnpm test:slow`. */
const slow = '**/*.slow.test.ts';
/** What takes too long for every change, such as other people's tools installed afresh: `pnpm test:long`. */
const long = '**/*.long.test.ts';
/** What needs a process of its own: for a heap without what others left, or for modules that nobody has loaded. */
const alone = [
  'packages/cli/test/orders-full-disk.test.ts',
  'packages/sdk/test/is-topup-error.test.ts',
  'packages/sdk/test/leaks.test.ts',
  'packages/server/test/compression.test.ts',
  'packages/server/test/open-files.test.ts',
  'packages/server/test/owasp-matrix.test.ts',
];

/** What is about connections at a moment, which a machine that does much else stretches: it runs when all else is done. */
const calm = ['packages/server/test/shut-down.test.ts'];
const slowCalm = ['packages/server/test/{foreign-lock,shut-down}.slow.test.ts'];

/** What can run only with MSW 2. */
const msw2 = 'packages/mock/test/msw-2.test.ts';

/** The main tests of the mock and the SDK, which also run in the simulated browsers of frontend tests. */
const frontend = [
  'packages/mock/test/{conformance,controls,environments,fake-timers,override,scenarios,webhooks}.test.ts',
  'packages/sdk/test/{http-error,idempotency-key,light,request,response-validation}.test.ts',
  'packages/sdk/test/{retries,services,unknown-outcome,wait-for-iteration}.test.ts',
  'packages/sdk/test/webhooks/verify-webhook.test.ts',
];

/** Slow tests are about load, or measure time: no more of them at once than there are cores. */
const oneEachCore = { maxWorkers: '100%', sequence: { groupOrder: 1 } };

/**
 * Tests write thousands of stores, and wait for the disk at each commit. None of them is about the disk itself, so where the memory has
 * room for all of their files, these lie there.
 */
const memory = '/dev/shm';
const neededBytes = 6 * 1024 ** 3;
if (process.env.TMPDIR === undefined && existsSync(memory)) {
  const { bavail, bsize } = statfsSync(memory);
  if (Math.min(bavail * bsize, freemem()) >= neededBytes) process.env.TMPDIR = memory;
}

const cache = fileURLToPath(new URL('node_modules/.cache/node', import.meta.url));

export default defineConfig({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source } },
  test: {
    // Half of the time tests wait, for processes, pages and moments: two cores are busy with three of them.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Many tests start two or three programs, each of which waits for its turn: seconds on a slow machine.
    testTimeout: 20_000,
    globalSetup: 'test/global-setup.ts',
    setupFiles: 'test/each-file.ts',
    // Times are told in the zone of the machine; tests want one that is the same everywhere. What tests start is compiled
    // once.
    env: { TZ: 'Asia/Jakarta', NODE_COMPILE_CACHE: cache },
    provide: { environment: 'node', quick: false },
    projects: [
      // Files share a process, which loads the sources once.
      {
        extends: true,
        test: {
          name: 'quick',
          include: [
            'packages/*/test/**/*.test.ts',
            'packages/*/template/test/*.test.ts',
            'examples/**/*.test.ts',
            'test/{collections,docs,packages}/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, slow, long, ...outside, ...alone, ...calm, msw2],
          provide: { environment: 'node', quick: true },
          isolate: false,
        },
      },
      { extends: true, test: { name: 'outside', include: outside, isolate: false } },
      { extends: true, test: { name: 'alone', include: alone } },
      {
        extends: true,
        test: { name: 'calm', include: calm, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
      ...(['jsdom', 'happy-dom'] as const).map((environment) => ({
        extends: true as const,
        test: {
          // One simulated browser is enough for every run.
          ...(environment === 'jsdom'
            ? { name: environment }
            : { name: `slow ${environment}`, ...oneEachCore }),
          environment,
          // As a page would, happy-dom keeps the tests' global fetch from other origins.
          environmentOptions: { happyDOM: { settings: { fetch: { disableSameOriginPolicy: true } } } },
          include: frontend,
          provide: { environment, quick: false },
          isolate: false,
        },
      })),
      {
        extends: true,
        resolve: {
          alias: { 'msw/node': 'msw-2/node', msw: 'msw-2' },
        },
        test: {
          name: 'msw 2',
          include: [
            'packages/mock/test/{environments,msw}.test.ts',
            'examples/mock/guide/own-handler.test.ts',
            msw2,
          ],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'slow calm', include: slowCalm, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
      ...Object.entries({ slow, long }).map(([name, files]) => ({
        extends: true as const,
        test: {
          name,
          ...oneEachCore,
          exclude: [...configDefaults.exclude, ...slowCalm],
          include: [`packages/*/test/${files}`, `examples/${files}`, `test/${files}`],
          isolate: false,
        },
      })),
    ],
  },
});
