import { join } from 'node:path';
import { defineConfig } from 'tsup';
import { commonJsFolder, library, type Plugin, thirdPartyFile } from '../../tsup.shared.ts';

/** MSW is an ES module: the CommonJS build loads it on demand. */
const mswOnDemand: Plugin = {
  name: 'msw-on-demand',
  setup(build) {
    if (build.initialOptions.outdir?.endsWith(commonJsFolder))
      build.onResolve({ filter: /^\.\/msw\.ts$/ }, ({ resolveDir }) => ({
        path: join(resolveDir, 'msw-on-demand.ts'),
      }));
  },
};

export default defineConfig(
  library({
    entry: {
      index: 'src/index.ts',
      'in-process': 'src/in-process.ts',
      playwright: 'src/playwright.ts',
      catalog: 'src/catalog/index.ts',
      conformance: 'src/conformance.ts',
    },
    esbuildPlugins: [thirdPartyFile, mswOnDemand],
  }),
);
