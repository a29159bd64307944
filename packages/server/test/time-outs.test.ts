import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from './helpers/sandbox.ts';
import { expectSlowClientsGone } from './helpers/slow-clients.ts';

// time-outs.long.test.ts waits for the ten seconds.
it('gives a client ten seconds to send its request, and gives a slow client the reason', async () => {
  await using server = await startSandbox({ TOPUP_LOG_LEVEL: 'silent' });
  const servers = new Set<unknown>();
  const note = (message: unknown): void => {
    if (message instanceof Object && 'server' in message) servers.add(message.server);
  };
  const channel = 'http.server.request.start';
  subscribe(channel, note);
  onTestFinished(() => void unsubscribe(channel, note));
  await (await fetch(`${server.localUrl}/livez`)).text();
  const [http] = servers;
  if (!(http instanceof Server)) throw new Error('the request reached no server');

  expect([http.headersTimeout, http.requestTimeout]).toEqual([10_000, 10_000]);
  // It looks for slow clients every second.
  http.headersTimeout = 300;
  http.requestTimeout = 300;
  await expectSlowClientsGone(server, 3_000);
});
