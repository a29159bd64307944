import { defineConfig } from 'tsup';
import { library, thirdPartyFile } from '../../tsup.shared.ts';

export default defineConfig(
  library({
    entry: ['src/index.ts'],
    platform: 'node',
    target: 'node24',
    esbuildPlugins: [thirdPartyFile],
  }),
);
