import { readFile, rm } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Options } from 'tsup';
import { outDir, shared, thirdPartyFile } from '../../tsup.shared.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const here = fileURLToPath(new URL('.', import.meta.url));
const require = createRequire(import.meta.url);

/** One of Node's modules as a module of ours, of which the bundle keeps the exports that are used. */
function asModule(name: string): string {
  const names = Object.keys(require(name)).filter(
    (key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default',
  );
  return [
    `const it = process.getBuiltinModule(${JSON.stringify(name)});`,
    'export default it;',
    ...names.map((key) => `export const ${key} = /* @__PURE__ */ (() => it.${key})();`),
  ].join('\n');
}

/**
 * Takes Node's modules without `import`, which reads every property of a module and so loads what stands behind the lazy
 * ones: workers, readline, file watchers. Commander's `child_process` is left out too: it is for commands that are
 * programs of their own. Both together save `topup --help` a third of its time.
 */
const nodeModules: Plugin = {
  name: 'node-modules',
  setup(build) {
    build.onResolve({ filter: /^[a-z]/ }, ({ path, kind, importer }) => {
      if (!isBuiltin(path)) return undefined;
      const pluginData = path;
      if (path === 'node:child_process' && importer.includes('/commander/'))
        return { path, namespace: 'nothing' };
      if (kind === 'require-call') return { path, pluginData, namespace: 'node-required' };
      // One for each importer: what another one needs is none of its business.
      return { path: `${path} of ${relative(here, importer)}`, pluginData, namespace: 'node-imported' };
    });
    build.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'export default {};' }));
    build.onLoad({ filter: /.*/, namespace: 'node-imported' }, ({ pluginData }) => ({
      contents: asModule(pluginData),
    }));
    build.onLoad({ filter: /.*/, namespace: 'node-required' }, ({ pluginData }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(pluginData)});`,
    }));
  },
};

/** What most commands load. */
const common = [
  ...['main', 'service/client', 'define-command', 'store/open', 'input/arguments', 'input/prompts'],
  ...['errors/suggest-slugs', 'errors/order-flags'],
  ...['format', 'style', 'table', 'text'].map((file) => `output/${file}`),
].map((file) => fileURLToPath(new URL(`src/${file}.ts`, import.meta.url)));

const imports = common.map((file) => `import ${JSON.stringify(file)};`).join('');

/**
 * Lets all that is loaded on demand import what is common, so that this becomes one file: each file more costs as much
 * as ten thousand characters of JavaScript.
 */
const commonFile: Plugin = {
  name: 'common-file',
  setup(build) {
    build.onResolve({ filter: /^[.@]/ }, async ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const resolved = await build.resolve(path, { kind: 'import-statement', resolveDir });
      // Not the module itself: from an index that is loaded whole, others could not take one thing alone.
      return { path: resolved.path, namespace: 'on-demand', errors: resolved.errors };
    });
    build.onLoad({ filter: /.*/, namespace: 'on-demand' }, ({ path }) => ({
      contents: `${imports} export * from ${JSON.stringify(path)};`,
      resolveDir: dirname(path),
    }));
  },
};

/**
 * Reads the exports of a folder's index as all exports of its files. Through exports by name, esbuild takes every file
 * that any command needs of a folder for one that all commands need.
 */
const wholeFiles: Plugin = {
  name: 'whole-files',
  setup(build) {
    build.onLoad({ filter: /\/packages\/\w+\/src\/(.*\/)?index\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replace(/^export \{[^}]*\} from/gm, (text) =>
        text.includes(' as ') ? text : 'export * from',
      );
      return { contents, loader: 'ts' };
    });
  },
};

// Both builds write there.
await rm(outDir, { recursive: true, force: true });

const options: Options = {
  ...shared,
  platform: 'node',
  target: 'node24',
  dts: false,
  clean: false,
  // For others Node looks up whether they are modules, in every folder above.
  outExtension: () => ({ js: '.mjs' }),
  // All in one package: workspace packages are on no registry, and Node finds and reads few files.
  external: [],
  noExternal: [/.*/],
  esbuildOptions(esbuild) {
    esbuild.conditions = ['@topup-kit/source'];
    // Types alone: at run time it is commander.
    esbuild.alias = { '@commander-js/extra-typings': 'commander' };
    // Names stay, for those who read a stack.
    esbuild.minifyWhitespace = true;
    esbuild.minifySyntax = true;
    esbuild.chunkNames = 'chunks/[name]-[hash]';
  },
};

/** Leaves the rest to the other build: what `--version` needs, and what comes before all others, is in one file. */
const onlyBin: Plugin = {
  name: 'only-bin',
  setup(build) {
    build.onResolve({ filter: /^\.\/process\.ts$/ }, () => ({ path: './process.mjs', external: true }));
  },
};

export default defineConfig([
  { ...options, entry: ['src/bin.ts'], splitting: false, esbuildPlugins: [onlyBin, nodeModules] },
  {
    ...options,
    entry: ['src/process.ts'],
    esbuildPlugins: [nodeModules, commonFile, wholeFiles, thirdPartyFile],
  },
]);
