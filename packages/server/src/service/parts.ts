import { isIPv6 } from 'node:net';
import { type DialectOverrides, sandboxKey } from '@topup-kit/core/contract';
import type { EngineDependencies, FixedKey } from '@topup-kit/core/engine';
import type { PaymentGateway } from '@topup-kit/core/gateway';
import { isLocalName } from '@topup-kit/core/http';
import type { Clock } from '@topup-kit/core/platform';
import type { Supplier } from '@topup-kit/core/supplier';
import { gatewayNames, supplierNames } from '@topup-kit/providers/registry';
import type { ServerConfig } from '../config/config.ts';
import { anyOf, ConfigError } from '../config/variable.ts';

/** Parts of a server that a deployment or a test may replace. */
export interface ServerOverrides {
  /** Takes payments. Default: the configured gateway, or in a sandbox the simulated gateway. */
  gateway?: PaymentGateway;
  /** Delivers paid orders. Default: the configured supplier, or in a sandbox the simulated supplier. */
  supplier?: Supplier;
  /** Other suppliers that products may name. Default: the configured suppliers, if `supplier` is omitted. */
  otherSuppliers?: readonly Supplier[];
  /**
   * Real time in unix milliseconds, also for limits, pauses and intervals. Default: `Date.now`, and a clock that is never set back. A
   * sandbox's clock (world time) is this time plus an offset.
   */
  realClock?: Clock;
  /** The dialect: the server's behaviour where the interface leaves a choice open. Default: the kit's dialect. */
  dialect?: DialectOverrides;
  /** Receives the log. Each line is a JSON object followed by a newline. Default: stderr. */
  log?: { write(line: string): void };
  /** Time to pay for an order, in milliseconds by payment group. */
  paymentTime?: EngineDependencies['paymentTime'];
}

/** Adds the configured gateway and suppliers to the parts, unless the caller passes its own. */
export function withConfiguredParts(
  config: ServerConfig,
  parts: ServerOverrides,
  warn: (text: string) => void,
): ServerOverrides {
  const host = { clock: parts.realClock ?? Date.now, publicUrl: config.publicUrl, warn };
  const gateway = parts.gateway ?? config.createGateway?.(host);
  const supplier = parts.supplier ?? config.createSupplier?.(host);
  const otherSuppliers =
    parts.otherSuppliers ?? (parts.supplier ? [] : config.createOtherSuppliers.map((create) => create(host)));
  return { ...parts, ...(gateway && { gateway }), ...(supplier && { supplier }), otherSuppliers };
}

/**
 * Rejects a live server with simulated parts, because a live server takes real money.
 *
 * @throws ConfigError that names every simulated part and its replacement.
 */
export function rejectSandboxParts(
  config: ServerConfig,
  { gateway, supplier, otherSuppliers = [] }: ServerOverrides,
): void {
  const missing = [
    ...(gateway === undefined || gateway.sandbox
      ? [
          `a real payment gateway: set TOPUP_GATEWAY (or --gateway) to ${anyOf(gatewayNames)}, or pass your own to startServer`,
        ]
      : []),
    ...([supplier, ...otherSuppliers].some((configured) => configured === undefined || configured.sandbox)
      ? [
          `a real supplier: set TOPUP_SUPPLIER (or --supplier) to ${anyOf(supplierNames)}, or pass your own to startServer`,
        ]
      : []),
    ...(config.store.kind === 'memory'
      ? ['a store that outlives the process: set TOPUP_STORE (or --store) to file:PATH or postgres://...']
      : []),
  ];
  if (missing.length === 0) return;
  throw new ConfigError(
    `Live mode takes real money, so it needs ${missing.join('; ')}. To try things out, run a sandbox: topup serve --sandbox (or TOPUP_MODE=sandbox).`,
    { setting: 'TOPUP_MODE' },
  );
}

/** Minimum length of a sandbox's own key that other machines can guess. */
const minKeyLength = 20;

/**
 * Rejects a key that can be guessed, if other machines can send it.
 *
 * @throws ConfigError
 */
export function rejectShortKey({
  mode,
  apiKey,
  host,
  sockets,
  publicUrl,
  trustedProxies = [],
}: ServerConfig): void {
  if (mode === 'live' || apiKey === undefined || apiKey.length >= minKeyLength) return;
  // The owner of an inherited socket may have opened it to everyone.
  const names = [
    sockets ? '0.0.0.0' : host,
    ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
  ];
  const reached = names.find((name) => !isLocalName(isIPv6(name) ? `[${name}]` : name));
  if (reached === undefined && trustedProxies.length === 0) return;
  const where = reached === undefined ? 'behind a proxy' : `at ${reached}`;
  throw new ConfigError(
    `TOPUP_API_KEY is too short for a sandbox ${where}, which others can reach: it needs at least ${minKeyLength} characters. To make one: openssl rand -hex 24`,
    { setting: 'TOPUP_API_KEY' },
  );
}

/**
 * Rejects providers with the same name: it distinguishes callbacks and their replays by gateway, and purchases by supplier.
 *
 * @throws ConfigError if two providers have the same name.
 */
export function rejectSameName({ gateway, supplier, otherSuppliers = [] }: ServerOverrides): void {
  const names = [supplier, ...otherSuppliers].flatMap((configured) => configured?.name ?? []);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  const shared = names.find((name) => name === gateway?.name);
  if (shared !== undefined)
    throw new ConfigError(
      `The payment gateway and the supplier are both named "${shared}": give one of the adapters another name.`,
    );
  if (twice !== undefined)
    throw new ConfigError(`Two suppliers are both named "${twice}": give one of the adapters another name.`);
}

/** Returns a sandbox's fixed keys: the well-known key for direct requests only, and the operator's own key for all requests. */
export const sandboxKeys = ({ mode, apiKey }: ServerConfig): FixedKey[] =>
  mode === 'live'
    ? []
    : [
        { key: sandboxKey, directOnly: true },
        // The well-known key is public, even if the operator sets it as TOPUP_API_KEY.
        ...(apiKey === undefined || apiKey === sandboxKey ? [] : [{ key: apiKey, directOnly: false }]),
      ];
