import { expect, it } from 'vitest';
import { clientProject } from '../../../../test/shared.ts';
import { bundle } from '../../scripts/bundle.ts';
import { clientSize, sizeBars, sizedEntries, webhookBar, webhookSize } from '../../scripts/size.ts';

it.each(sizedEntries)('keeps %s within its limit', async (entry) => {
  expect(await clientSize(entry, await clientProject())).toBeLessThanOrEqual(sizeBars[entry]);
});

it.each(sizedEntries)('keeps verifyWebhook of %s within its limit', async (entry) => {
  expect(await webhookSize(entry, await clientProject())).toBeLessThanOrEqual(webhookBar);
});

it.each(sizedEntries)('includes no webhooks in a client of %s', async (entry) => {
  const client = await bundle(`export { createTopupClient } from '${entry}';`, await clientProject());
  const receiver = await bundle(`export { verifyWebhook } from '${entry}';`, await clientProject());

  expect(client).not.toMatch(/whsec_|webhook-|HMAC/);
  expect(receiver).toMatch(/whsec_.*webhook-|webhook-.*whsec_/s);
});
