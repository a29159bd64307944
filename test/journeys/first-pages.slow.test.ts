import { readConfig, startServer } from '@topup-kit/server';
import { expect, it } from 'vitest';
import { blocksOf } from '../docs/blocks.ts';
import { freePort } from '../free-port.ts';
import { beginJourney, journeyOptions } from './helpers/journey.ts';

/** The lines of a block, with the packages where a journey has them. */
const linesOf = (block: string | undefined): string[] =>
  (block ?? '').trim().replaceAll('../topup-kit/packed', '../packed').split('\n');

it('completes the page for integrators: a first order, paid and delivered', journeyOptions, async () => {
  await using sandbox = await startServer(
    readConfig({ PORT: '0', TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:' }),
  );
  await using journey = await beginJourney('Integrator, from its page', ['sdk'], {
    variables: { TOPUP_BASE_URL: sandbox.baseUrl },
  });
  const [install, run = '', inTypeScript] = blocksOf('docs/for-integrators.md', 'sh', 3);
  const [program = ''] = blocksOf('docs/for-integrators.md', 'ts', 1);

  for (const line of linesOf(install)) await journey.type(line);
  await journey.write({ 'first-order.mjs': program });
  const finished = journey.start(run.trim(), /PAID \/ Sukses/);
  await expect.poll(() => payOpenOrder(sandbox), { timeout: 30_000 }).toBe(200);

  await finished;
  await journey.succeed();

  for (const line of linesOf(inTypeScript)) await journey.type(line);
  await journey.write({ 'first-order.ts': program });
  await journey.type('npx tsc');
});

/** Pays the order that was placed, as its customer does by the button of its page; gives the status, or undefined without an order. */
async function payOpenOrder({ baseUrl, publicUrl, sandboxKey }: Sandbox): Promise<number | undefined> {
  const response = await fetch(`${baseUrl}/orders`, { headers: { 'X-API-KEY': sandboxKey ?? '' } });
  const [order] = (await response.json()).data;
  if (order === undefined) return undefined;
  return (await fetch(`${publicUrl}/sandbox/orders/${order.order_id}/pay`, { method: 'POST' })).status;
}
type Sandbox = Awaited<ReturnType<typeof startServer>>;

it('completes the page for frontend developers: a test without a server', journeyOptions, async () => {
  await using journey = await beginJourney('Frontend developer, from its page', ['sdk', 'mock'], {
    newerNodeFor: 'vitest',
  });
  const [page = '', test = ''] = blocksOf('docs/for-frontend-developers.md', 'sh', 2);
  const [program = ''] = blocksOf('docs/for-frontend-developers.md', 'ts', 1);

  await journey.type(linesOf(page)[0] ?? '');
  await journey.write({ 'order.test.js': program });
  const [install = '', run = ''] = linesOf(test);
  await journey.type(install);
  expect(await journey.type(run)).toMatch(/1 passed/);
  await journey.succeed();
});

it(
  'completes the page for operators: a payment that matches no order is settled, and the order is delivered',
  journeyOptions,
  async () => {
    const port = String(await freePort());
    await using journey = await beginJourney('Operator, from its page', ['cli'], {
      variables: { PORT: port, TOPUP_BASE_URL: `http://127.0.0.1:${port}/api` },
    });
    const [serve = '', ...steps] = blocksOf('docs/for-operators.md', 'sh', 4);

    await journey.type('npm install --global ../packed/topup-kit-cli.tgz');
    await journey.start(serve.trim(), /curl/);
    const printed = await journey.type(steps.join('\n'));

    expect(printed).toMatch(/^Something waits\.$/m);
    expect(printed).toMatch(/settled +\S+ +.*PAID \/ Proses\n.*PAID \/ Sukses/);
  },
);

it(
  'completes the page for deployments: a live server, its first sale and its first backup',
  journeyOptions,
  async () => {
    const [port, simulators] = [String(await freePort()), String(await freePort())];
    await using journey = await beginJourney('Deployment, from its page', ['cli'], {
      variables: { PORT: port, TOPUP_BASE_URL: `http://127.0.0.1:${port}/api` },
    });
    const [simulate = '', settings = '', catalog = '', serve = '', ...steps] = blocksOf(
      'docs/for-deployments.md',
      'sh',
      6,
    ).map((block) => block.trim().replaceAll(':4000', `:${port}`).replaceAll(':4300', `:${simulators}`));
    const withSettings = 'set -a; . ./shop.env; set +a\n';

    await journey.type('npm install --global ../packed/topup-kit-cli.tgz');
    await journey.start(`${simulate} --port ${simulators}`, new RegExp(`:${simulators}`));
    await journey.type(`${settings}\n${catalog}`);
    await journey.start(withSettings + serve, /curl/);
    const printed = await journey.type(steps.join('\n'));

    expect(printed).toMatch(/PAID \/ Sukses$/m);
    expect(printed).toMatch(/first\.backup/);
    expect(printed).not.toMatch(/✗/);
  },
);
