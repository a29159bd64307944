import { join } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { shared } from '../../tsup.shared.ts';

/** The tests of the package build it elsewhere, so that they disturb nobody's `dist`. */
const dist = process.env.TOPUP_SDK_DIST ?? 'dist';

// An integrator installs the client and ky, and nothing of the service behind it.
const inlined = [/^@topup-kit\/core/];

const common: Options = {
  ...shared,
  entry: { index: 'src/index.ts', light: 'src/light.ts', proxy: 'src/proxy/index.ts' },
  external: [],
  noExternal: inlined,
  dts: false,
  esbuildOptions(options) {
    options.conditions = ['@topup-kit/source'];
  },
};

export default defineConfig([
  { ...common, format: 'esm', splitting: false, outDir: join(dist, 'esm') },
  {
    ...common,
    format: 'cjs',
    outDir: join(dist, 'cjs'),
    // ky is ESM only, and the client must load with `require()` and in Jest.
    noExternal: [...inlined, 'ky'],
    // Chunks shared by CommonJS entries would go through a transform that rewrites `?.` for engines long gone.
    splitting: false,
  },
  {
    ...common,
    // Both sets of types from one pass.
    format: ['esm', 'cjs'],
    outDir: join(dist, 'types'),
    dts: {
      only: true,
      compilerOptions: { paths: { '@topup-kit/core/contract': ['../core/src/contract/index.ts'] } },
    },
  },
]);
