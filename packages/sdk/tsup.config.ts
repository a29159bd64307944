import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

export default defineConfig({
  ...shared,
  entry: ['src/index.ts'],
  // An integrator installs the client and ky, and nothing of the service behind it.
  external: [],
  noExternal: [/^@topup-kit\/core/],
  dts: { compilerOptions: { paths: { '@topup-kit/core/contract': ['../core/src/contract/index.ts'] } } },
  esbuildOptions(options) {
    options.conditions = ['@topup-kit/source'];
  },
});
