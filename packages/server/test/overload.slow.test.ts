import { expect, it } from 'vitest';
import { overloadOnce, portOf, rejectWrongResponses } from '../../../soak/overload/index.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { startServerProcess } from './helpers/server-process.ts';

it('continues at five times its capacity, and tells rejected clients when to retry', async () => {
  await using folder = await temporaryFolder();
  await using server = await portOf(startServerProcess, `file:${folder.path}/topup.db`);
  const round = await overloadOnce(server.port, 3, 14);
  rejectWrongResponses(round);
  const { peak, over } = round;
  // The bar of 90 % is for a quiet machine, and `pnpm soak overload`.
  expect(over.goodPerSecond).toBeGreaterThan(peak.goodPerSecond / 4);
}, 60_000);
