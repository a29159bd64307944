import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: ['src/bin.ts'],
  platform: 'node',
  dts: false,
  // For .js files, Node would search all parent folders for a package.json.
  outExtension: () => ({ js: '.mjs' }),
});
