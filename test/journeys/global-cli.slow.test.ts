import { expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { beginJourney, journeyOptions } from './helpers/journey.ts';

it('runs a sandbox and a first order with the globally installed command', journeyOptions, async () => {
  // The default port may be in use where the tests run.
  const port = String(await freePort());
  await using journey = await beginJourney('Operator, command installed globally', ['cli'], {
    variables: { PORT: port, TOPUP_BASE_URL: `http://127.0.0.1:${port}/api` },
  });

  await journey.type('npm install --global ../packed/topup-kit-cli.tgz');
  await journey.start('topup serve --sandbox', /curl/);
  const printed = await journey.type(
    'topup orders create --game mobile-legends --product 901 --payment-method 12 --id 12345678 --server 2012 --whatsapp 081234567890 --json',
  );

  expect(JSON.parse(printed)).toMatchObject({ orderId: expect.stringMatching(/^INV-/), success: true });
  await journey.succeed();
});
