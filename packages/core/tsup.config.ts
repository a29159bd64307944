import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

const folders = [
  'contract',
  'contract/openapi',
  'http',
  'platform',
  'store',
  'gateway',
  'supplier',
  'engine',
  'app',
  'conformance',
  'sandbox',
  'store/suite',
];

export default defineConfig({
  ...shared,
  entry: Object.fromEntries(folders.map((folder) => [`${folder}/index`, `src/${folder}/index.ts`])),
});
