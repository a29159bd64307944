import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readConfig, startServer } from '@topup-kit/server';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('first-order.ts', import.meta.url));

it('first-order.ts places an order on a sandbox', async () => {
  await using server = await startServer(
    readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0' }),
  );
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@topup-kit/source', script],
    { env: { PATH: process.env.PATH, TOPUP_BASE_URL: server.baseUrl } },
  );
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^\d+ games, the first is /);
  expect(stdout).toMatch(/INV-\d{14}-[A-Z]{8}: 40000 to pay at http:\/\/127\.0\.0\.1:\d+\/pay\//);
  expect(stdout).toContain('UNPAID / Pending');
});
