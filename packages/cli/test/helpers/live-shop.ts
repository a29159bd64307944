import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import type { ProviderName } from '@topup-kit/providers/registry';
import { readConfig, startServer } from '@topup-kit/server';
import { startSimulators } from '@topup-kit/simulators';
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../../../../test/free-port.ts';
import { temporaryFolder } from './folder.ts';
import { run } from './run.ts';

/** A live shop over simulated providers, whose store can be backed up and restored. */
export async function startShop(name: 'tripay' | 'midtrans') {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const port = await freePort();
  const simulators = await startSimulators({
    port: 0,
    callbackUrls: { [name]: `http://127.0.0.1:${port}/callback/${name}` },
  });
  onTestFinished(() => simulators.close());
  const find = (provider: ProviderName) => {
    const found = simulators.providers.find((one) => one.name === provider);
    if (!found) throw new Error(provider);
    return found;
  };
  const [gateway, supplier] = [find(name), find('digiflazz')];
  const path = join(folder.path, 'topup.db');
  const catalog = join(folder.path, 'catalog.json');
  const product = (one: object) =>
    'code' in one && one.code === 'ML86' ? { ...one, supplier_code: 'ml86' } : one;
  const file = sandboxCatalogFile as { games: { products: object[] }[] }; // Safe: the sandbox's own file has this form.
  const games = file.games.map((game) => ({ ...game, products: game.products.map(product) }));
  writeFileSync(catalog, JSON.stringify({ ...file, games }));
  const environment: Record<string, string> = {
    ...{ TOPUP_STORE: `file:${path}`, TOPUP_CATALOG: catalog, TOPUP_LOG_LEVEL: 'silent', PORT: String(port) },
    ...{ TOPUP_GATEWAY: name, TOPUP_SUPPLIER: 'digiflazz', TOPUP_PUBLIC_URL: 'https://shop.example' },
    ...gateway.credentials,
    ...supplier.credentials,
    [`${name.toUpperCase()}_BASE_URL`]: gateway.baseUrl,
    DIGIFLAZZ_BASE_URL: supplier.baseUrl,
  };
  const topup = (...args: string[]) => run(args, { environment });
  const json = async (...args: string[]) => JSON.parse((await topup(...args, '--json')).stdout);
  const serve = async () => {
    const server = await startServer(readConfig(environment));
    onTestFinished(() => server.close());
    return server;
  };
  const control = async (route: string, body: object) => {
    const response = await fetch(`${simulators.url}/control/${route}`, {
      ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
    });
    expect(response.status).toBe(200);
  };
  let key = '';
  return {
    ...{ folder, path, environment, topup, json, serve, simulators, control },
    async makeKey(): Promise<string> {
      key = (await json('keys', 'create', '--name', 'shop')).key;
      return key;
    },
    async place(): Promise<{ orderId: string; reference: string }> {
      const placed = await run(
        [
          ...['orders', 'create', '--game', 'mobile-legends', '--product', '901', '--payment-method', '22'],
          ...['--id', '12345678', '--server', '2012', '--whatsapp', '081234567890', '--json'],
        ],
        { environment: { TOPUP_BASE_URL: `http://127.0.0.1:${port}/api`, TOPUP_API_KEY: key } },
      );
      const { orderId, data } = JSON.parse(placed.stdout);
      return { orderId, reference: data.payment_reference };
    },
    /** The customer pays; the shop is not told if the callback is lost. */
    async pay({ orderId, reference }: { orderId: string; reference: string }, isLost = false) {
      if (isLost) await control('faults', { provider: name, fault: 'lost-callback' });
      await control(`${name}/pay`, { reference: name === 'tripay' ? reference : orderId });
    },
    statusOf: async (orderId: string) => (await json('orders', 'show', orderId, '--history')).payment_status,
  };
}
