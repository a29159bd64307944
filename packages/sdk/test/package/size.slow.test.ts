import { expect, it } from 'vitest';
import { clientProject } from '../../../../test/shared.ts';
import { bundle } from '../../scripts/bundle.ts';
import { clientSize, sizeBars, sizedEntries, webhookBar, webhookSize } from '../../scripts/size.ts';

it.each(sizedEntries)('%s stays within its limit', async (entry) => {
  expect(await clientSize(entry, await clientProject())).toBeLessThanOrEqual(sizeBars[entry]);
});

it.each(sizedEntries)('verifyWebhook of %s stays within its limit', async (entry) => {
  expect(await webhookSize(entry, await clientProject())).toBeLessThanOrEqual(webhookBar);
});

it.each(sizedEntries)('a client of %s has nothing of webhooks', async (entry) => {
  const client = await bundle(`export { createTopupClient } from '${entry}';`, await clientProject());
  const receiver = await bundle(`export { verifyWebhook } from '${entry}';`, await clientProject());

  expect(client).not.toMatch(/whsec_|webhook-|HMAC/);
  expect(receiver).toMatch(/whsec_.*webhook-|webhook-.*whsec_/s);
});
