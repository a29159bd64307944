import { join } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { outDir, shared, thirdPartyFile, types } from '../../tsup.shared.ts';

const common: Options = {
  ...shared,
  entry: {
    index: 'src/index.ts',
    light: 'src/light.ts',
    proxy: 'src/proxy/index.ts',
    worlds: 'src/worlds/index.ts',
  },
  dts: false,
  // ky is ESM only, and the client must load with `require()` and in Jest; and it asks for Node 22, which it doesn't need.
  noExternal: ['ky'],
};

export default defineConfig([
  {
    ...common,
    format: 'esm',
    splitting: false,
    outDir: join(outDir, 'esm'),
    esbuildPlugins: [thirdPartyFile],
  },
  {
    ...common,
    format: 'cjs',
    outDir: join(outDir, 'cjs'),
    // Chunks shared by CommonJS entries would go through a transform that rewrites `?.` for engines long gone.
    splitting: false,
  },
  {
    ...common,
    // Both sets of types from one pass.
    format: ['esm', 'cjs'],
    outDir: join(outDir, 'types'),
    dts: { only: true, ...types },
  },
]);
