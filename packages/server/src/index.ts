export type { ServerParts } from './build-service.ts';
export * from './catalog-seed.ts';
export * from './config/config.ts';
export { ConfigError, type Variable } from './config/variable.ts';
export { sha256Hex } from './hash.ts';
export { openStore } from './open-store.ts';
export * from './sqlite/index.ts';
export * from './start-server.ts';
