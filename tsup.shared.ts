import type { Options } from 'tsup';

/** How every package is built: ESM with types, from the entry points that its package.json exports. */
export const shared: Options = {
  format: 'esm',
  platform: 'neutral',
  target: 'es2024',
  dts: true,
  clean: true,
  splitting: true,
  // node:sqlite has no name without its prefix.
  removeNodeProtocol: false,
  // Other packages of ours stay imports, unless a package says otherwise.
  external: [/^@topup-kit\//],
};
