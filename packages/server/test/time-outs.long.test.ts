import { it } from 'vitest';
import { startSandbox } from './helpers/sandbox.ts';
import { expectSlowClientsGone } from './helpers/slow-clients.ts';

/** After this a slow client must be gone (measures.md, Security), with time for a busy machine. */
const limitMs = 11_000 + 1_000;

it('disconnects a slow client after eleven seconds, and gives the reason', async () => {
  await using server = await startSandbox({ TOPUP_LOG_LEVEL: 'silent' });
  await expectSlowClientsGone(server, limitMs);
}, 30_000);
