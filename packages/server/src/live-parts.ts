import type { ServerConfig } from './config/config.ts';
import { ConfigError } from './config/variable.ts';
import type { ServerParts } from './service.ts';

/**
 * A live server takes real money, so it refuses to start with a part that only plays, and says what to put there.
 *
 * @throws ConfigError that names every such part.
 */
export function refuseSandboxParts(config: ServerConfig, { gateway, supplier }: ServerParts): void {
  const missing = [
    ...(gateway === undefined || gateway.sandbox
      ? ['a real payment gateway: call startServer(config, { gateway }) of @topup-kit/server with yours']
      : []),
    ...(supplier === undefined || supplier.sandbox
      ? ['a real supplier: call startServer(config, { supplier }) of @topup-kit/server with yours']
      : []),
    ...(config.store.kind === 'memory'
      ? ['a store that outlives the process: set TOPUP_STORE (or --store) to file:PATH']
      : []),
  ];
  if (missing.length === 0) return;
  throw new ConfigError(
    `Live mode takes real money and can't run on sandbox parts. It needs${missing.map((part) => `\n  - ${part}`).join('')}\nTo try things out, run a sandbox: topup serve --sandbox (or TOPUP_MODE=sandbox).`,
  );
}
