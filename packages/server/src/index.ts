export * from './catalog-seed.ts';
export * from './config/config.ts';
export { ConfigError, type Variable } from './config/variable.ts';
export { openStore } from './open-store.ts';
export type { ServerParts } from './service.ts';
export { sha256Hex } from './service.ts';
export * from './sqlite/index.ts';
export * from './start-server.ts';
