import { defineConfig } from 'tsup';
import { library, thirdPartyFile } from '../../tsup.shared.ts';

const [esm = {}, ...others] = library({
  entry: ['src/index.ts'],
  platform: 'node',
  target: 'node24',
  esbuildPlugins: [thirdPartyFile],
});

export default defineConfig([
  // The inlined driver of PostgreSQL is CommonJS, and requires Node's modules.
  { ...esm, banner: { js: 'const require = (name) => process.getBuiltinModule(name);' } },
  ...others,
]);
