import { defineConfig } from 'tsup';
import { shared, thirdPartyFile } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: ['src/index.ts'],
  platform: 'node',
  target: 'node24',
  esbuildPlugins: [thirdPartyFile],
});
