import { build } from 'esbuild';
import { expect, it } from 'vitest';

/** The private packages whose code is in a published one. */
async function inlinedIn(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [new URL(`../../packages/${entry}`, import.meta.url).pathname],
    absWorkingDir: new URL('../..', import.meta.url).pathname,
    outdir: 'unused',
    write: false,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@topup-kit/source'],
    metafile: true,
    // Only ours are looked into.
    plugins: [
      {
        name: 'ours',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[^./]/ }, ({ path }) =>
            path.startsWith('@topup-kit/') ? undefined : { external: true },
          ),
      },
    ],
  });
  const packages = Object.keys(metafile.inputs).flatMap(
    (file) => /^packages\/([^/]+)\/src\//.exec(file)?.[1] ?? [],
  );
  return [...new Set(packages)].toSorted();
}

it("includes the providers' adapters in the server, and no simulator", async () => {
  expect(await inlinedIn('server/src/index.ts')).toEqual(['core', 'providers', 'server', 'suites']);
});

it('loads the simulators in `topup simulate`, but not in `topup serve`', async () => {
  expect(await inlinedIn('cli/src/commands/simulate.ts')).toContain('simulators');
  expect(await inlinedIn('cli/src/commands/serve.ts')).not.toContain('simulators');
});
