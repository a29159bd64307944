import { expect, it } from 'vitest';
import { run } from './helpers/run.ts';
import { startJsonService } from './helpers/servers.ts';

it.each([
  ['games', 'show'],
  ['checkout', 'show'],
  ['orders', 'show'],
  ['orders', 'watch'],
  ['orders', 'retry'],
  ['orders', 'refund'],
  ['invoices', 'show'],
  ['invoices', 'status'],
  ['sandbox', 'pay'],
  ['open', 'page'],
])('%s %s takes nothing that can be no part of a path, and asks nobody', async (noun, verb) => {
  await using service = await startJsonService(200, {});
  const environment = { TOPUP_BASE_URL: service.baseUrl };

  for (const text of ['', ' ', '.', '..']) {
    const { code, stdout, stderr } = await run([noun, verb, text], { environment });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Error: .* is invalid .* It takes one such as \S+\.\n/);
  }
  expect(service.asked).toEqual([]);
});

it('--game takes nothing that can be no part of a path', async () => {
  expect(await run(['orders', 'create', '--game', '..'])).toMatchObject({ code: 2 });
});
