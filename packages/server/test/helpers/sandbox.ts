import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, type ServerParts, startServer } from '../../src/index.ts';

/** The order of the open points: 2 x 86 Diamond with RAMADAN10, 40,000 in all. */
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

/** A sandbox server on a free port, over a memory store unless said otherwise. */
export const startSandbox = (environment: Record<string, string> = {}, parts: ServerParts = {}) =>
  startServer(
    readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0', ...environment }),
    parts,
  );

/** A folder that is gone when the test ends. */
export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'topup-kit-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
