import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: ['src/bin.ts'],
  platform: 'node',
  target: 'node24',
  dts: false,
});
