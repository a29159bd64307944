import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, type ServerOverrides, startServer } from '../../src/index.ts';

/** The order of the open points: 2 x 86 Diamond with RAMADAN10, a total of 40,000. */
export const fixtureOrder = {
  id: '12345678',
  server: '2012',
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  whatsapp: '081234567890',
  promo_code: 'RAMADAN10',
  quantity: 2,
};

/** Starts a sandbox server on a free port, by default over a memory store. */
export const startSandbox = (environment: Record<string, string> = {}, parts: ServerOverrides = {}) =>
  startServer(
    readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0', ...environment }),
    parts,
  );

/** Creates a folder that is deleted when the test ends. */
export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'topup-kit-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
