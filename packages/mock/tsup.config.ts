import { defineConfig } from 'tsup';
import { shared, thirdPartyFile } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: {
    index: 'src/index.ts',
    'in-process': 'src/in-process.ts',
    'catalog/index': 'src/catalog/index.ts',
    conformance: 'src/conformance.ts',
  },
  esbuildPlugins: [thirdPartyFile],
});
