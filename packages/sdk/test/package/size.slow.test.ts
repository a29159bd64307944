import { expect, inject, it } from 'vitest';
import { bundle } from '../../scripts/bundle.ts';
import { clientSize, sizeBars, sizedEntries, webhookBar, webhookSize } from '../../scripts/size.ts';

it.each(sizedEntries)('%s stays within its limit', async (entry) => {
  expect(await clientSize(entry, inject('project'))).toBeLessThanOrEqual(sizeBars[entry]);
});

it.each(sizedEntries)('verifyWebhook of %s stays within its limit', async (entry) => {
  expect(await webhookSize(entry, inject('project'))).toBeLessThanOrEqual(webhookBar);
});

it.each(sizedEntries)('a client of %s has nothing of webhooks', async (entry) => {
  const client = await bundle(`export { createTopupClient } from '${entry}';`, inject('project'));
  const receiver = await bundle(`export { verifyWebhook } from '${entry}';`, inject('project'));

  expect(client).not.toMatch(/whsec_|webhook-|HMAC/);
  expect(receiver).toMatch(/whsec_.*webhook-|webhook-.*whsec_/s);
});
