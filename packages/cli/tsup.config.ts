import { readFile, rm } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Options } from 'tsup';
import { outDir, shared, thirdPartyFile } from '../../tsup.shared.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const here = fileURLToPath(new URL('.', import.meta.url));
const require = createRequire(import.meta.url);

/** A Node module as JavaScript with one export per property, so that the bundle keeps only those that are used. */
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
 * Gets Node's modules without `import`, which reads all properties of a module and so loads everything behind the lazy
 * ones: workers, readline, file watchers. Also leaves out `child_process`, which commander needs only for commands that
 * are separate programs. Together this makes `topup --help` a third faster.
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
      // One module per importer, so that each keeps only the exports that it uses.
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
  ...['program', 'commands/orders/draft', 'store/page', 'store/from-engine'],
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

/**
 * Reads the named exports of a folder's index as `export *` of its files. With named exports, esbuild puts all files that
 * any command needs of the folder into one chunk for all commands: `games list` would load 336 kB instead of 161 kB.
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

// Both builds write to this folder, so neither may clean it.
await rm(outDir, { recursive: true, force: true });

const options: Options = {
  ...shared,
  platform: 'node',
  target: 'node24',
  dts: false,
  clean: false,
  // For .js files, Node would search all parent folders for a package.json.
  outExtension: () => ({ js: '.mjs' }),
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
  { ...options, entry: ['src/bin.ts'], splitting: false, esbuildPlugins: [onlyBin, nodeModules] },
  {
    ...options,
    entry: ['src/process.ts'],
    esbuildPlugins: [commonFile, nodeModules, wholeFiles, thirdPartyFile],
  },
]);
