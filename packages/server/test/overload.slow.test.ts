import { expect, it } from 'vitest';
import { overloadOnce, portOf, rejectWrongResponses } from '../../../soak/overload/index.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { startServerProcess } from './helpers/server-process.ts';

it('a server that is asked for five times as much as it can do goes on, and says to the rest when to come again', async () => {
  await using folder = await temporaryFolder();
  await using server = await portOf(startServerProcess, `file:${folder.path}/topup.db`);
  const round = await overloadOnce(server.port, 3, 14);
  rejectWrongResponses(round);
  const { peak, over } = round;
  // The bar of 90 % is for a quiet machine, and `pnpm soak overload`.
  expect(over.goodPerSecond).toBeGreaterThan(peak.goodPerSecond / 4);
}, 60_000);
