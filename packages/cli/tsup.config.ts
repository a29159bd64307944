import { rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Options } from 'tsup';
import { docsPages } from '../../scripts/docs-pages.ts';
import { outDir, shared, thirdPartyFile } from '../../tsup.shared.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const here = fileURLToPath(new URL('.', import.meta.url));

/** What most commands load. */
const common = [
  ...['main', 'service/client', 'define-command', 'store/open', 'input/arguments', 'input/prompts'],
  ...['program', 'store/page', 'store/from-engine'],
  ...['errors/order-flags', 'service/suggest-slugs'],
  ...['format', 'style', 'table', 'text'].map((file) => `output/${file}`),
].map((file) => fileURLToPath(new URL(`src/${file}.ts`, import.meta.url)));

const imports = common.map((file) => `import ${JSON.stringify(file)};`).join('');

/**
 * Makes every module that is loaded on demand import the common modules, so that these become one file: loading one more
 * file takes as long as ten thousand more characters of JavaScript.
 */
const commonFile: Plugin = {
  name: 'common-file',
  setup(build) {
    // Of other packages, some have only a default export, which `export *` leaves out.
    build.onResolve({ filter: /^([.@]|node:)/ }, async ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const resolved = isBuiltin(path)
        ? { path, errors: [] }
        : await build.resolve(path, { kind: 'import-statement', resolveDir });
      // A wrapper and not the module itself: of an index that is an entry point, nothing could be left out.
      return { path: resolved.path, namespace: 'on-demand', errors: resolved.errors };
    });
    build.onLoad({ filter: /.*/, namespace: 'on-demand' }, ({ path }) => ({
      contents: `${imports} export * from ${JSON.stringify(path)};`,
      resolveDir: isBuiltin(path) ? here : dirname(path),
    }));
  },
};

// Both builds write to this folder, so neither may clean it.
await rm(outDir, { recursive: true, force: true });

const options: Options = {
  ...shared,
  platform: 'node',
  target: 'node20',
  dts: false,
  clean: false,
  // For .js files, Node would search all parent folders for a package.json.
  outExtension: () => ({ js: '.mjs' }),
  // Inlined CommonJS packages require Node's modules.
  banner: { js: 'const require = (name) => process.getBuiltinModule(name);' },
  // Everything is inlined: core is not published, and Node has fewer files to find and read.
  external: [],
  noExternal: [/.*/],
  esbuildOptions(esbuild) {
    esbuild.conditions = ['@topup-kit/source'];
    // Adds only types to commander.
    esbuild.alias = { '@commander-js/extra-typings': 'commander' };
    // Names are kept for stack traces.
    esbuild.minifyWhitespace = true;
    esbuild.minifySyntax = true;
    esbuild.chunkNames = 'chunks/[name]-[hash]';
  },
};

/** Leaves everything but `bin.ts` to the other build, so that `--version` loads one file. */
const onlyBin: Plugin = {
  name: 'only-bin',
  setup(build) {
    build.onResolve({ filter: /^\.\/process\.ts$/ }, () => ({ path: './process.mjs', external: true }));
  },
};

export default defineConfig([
  { ...options, entry: ['src/bin.ts'], splitting: false, esbuildPlugins: [onlyBin] },
  {
    ...options,
    entry: ['src/process.ts'],
    esbuildPlugins: [docsPages, commonFile, thirdPartyFile],
  },
]);
