import { resolve } from 'node:path';
import type { RunningServer, ServerConfig } from '@topup-kit/server';
import { type Io, programName } from '../../io.ts';
import { list } from '../../output/table.ts';
import { shellWord } from '../../output/text.ts';
import { isLoopback, sandboxBaseUrl } from '../../service/connection.ts';

export interface Answering {
  config: ServerConfig;
  server: RunningServer;
  io: Io;
}

/** A server that answers, for programs. */
export const serverDocument = ({ config, server }: Answering) => ({
  mode: config.mode,
  base_url: server.baseUrl,
  api_key: server.sandboxKey,
  store: config.store.kind === 'memory' ? 'memory:' : `file:${resolve(config.store.path)}`,
  seeded: server.seeded,
});

function whereDataLies({ config: { store }, server: { seeded } }: Answering): string {
  if (store.kind === 'memory') return 'in memory, gone when the server stops';
  return `${resolve(store.path)}${seeded ? ' (new)' : ''}`;
}

/** The well-known key, where it works: over loopback. */
const loopbackKey = ({ server: { sandboxKey, localUrl } }: Answering): string | null =>
  isLoopback(new URL(localUrl)) ? sandboxKey : null;

/** What opens the server from other machines, when they reach it. */
function keyForOthers(answering: Answering): string | null {
  const { config, server } = answering;
  if (config.host === '127.0.0.1' && server.publicUrl === server.localUrl) return null;
  const others = config.apiKey === undefined ? 'one of `topup keys create`' : 'the one in TOPUP_API_KEY';
  return loopbackKey(answering) === null ? others : `for this machine alone; others use ${others}`;
}

const localBaseUrl = ({ config, server }: Answering): string => server.localUrl + config.basePath;

function curlLine(answering: Answering): string {
  const key = loopbackKey(answering);
  const header = key === null ? '"X-API-KEY: $TOPUP_API_KEY"' : `'X-API-KEY: ${key}'`;
  return `curl -H ${header} \\\n    ${shellWord(`${localBaseUrl(answering)}/games`)}`;
}

function cliLine(answering: Answering): string {
  const baseUrl = localBaseUrl(answering);
  const elsewhere = baseUrl === sandboxBaseUrl ? '' : ` --base-url ${shellWord(baseUrl)}`;
  return `${programName(answering.io)} games list${elsewhere}`;
}

/** What a server that answers tells the person who started it. */
export function greeting(answering: Answering): string {
  const { config, server } = answering;
  const sandbox = config.mode === 'sandbox';
  return `
Topup Kit answers.

${list([
  ['Mode', sandbox ? 'sandbox: no real money, nothing is delivered' : 'live: real money'],
  ['Base URL', server.baseUrl],
  ['Key', loopbackKey(answering)],
  [loopbackKey(answering) === null ? 'Key' : '', keyForOthers(answering)],
  ['Data', whereDataLies(answering)],
])}
Try it from another terminal:

  ${cliLine(answering)}

  ${curlLine(answering)}

Ctrl+C stops it.
`;
}
