import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOnce } from '../scripts/install-once.ts';
import { freePort } from '../test/free-port.ts';
import { type BenchServer, startBenchServer } from './bench-process.ts';
import type { Side } from './compare.ts';
import { get, sendOnce } from './requests.ts';

const folder = fileURLToPath(new URL('peers/', import.meta.url));

/** JSON response, and the place where each peer serves it. */
export interface PeerResponse {
  /** Path in the OpenAPI document, relative to the server. */
  path: string;
  /** Path that is requested. */
  requested: string;
  body: object;
  /** json-server uses its own addresses: the name of a collection and an id, or the name of an object. */
  jsonServer: { data: object; requested: string };
}

function documentOf({ path, body }: PeerResponse) {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const content = { 'application/json': { schema: { type: 'object' }, example: body } };
  return {
    openapi: '3.0.3',
    info: { title: 'Bench', version: '1.0.0' },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } } },
    security: [{ key: [] }],
    paths: { [path]: { get: { parameters, responses: { '200': { description: 'OK', content } } } } },
  };
}

export type PeerDocument = ReturnType<typeof documentOf>;

/** Converts a response for Mockoon, which also reads an OpenAPI document, but not its examples. */
const mockoonFile = ({ requested, body }: PeerResponse) => ({
  uuid: 'bench',
  name: 'Bench',
  port: 0,
  routes: [
    {
      uuid: 'route',
      type: 'http',
      method: 'get',
      endpoint: requested.slice(1),
      responses: [
        {
          uuid: 'response',
          statusCode: 200,
          bodyType: 'INLINE',
          body: JSON.stringify(body),
          disableTemplating: true,
          headers: [{ key: 'Content-Type', value: 'application/json' }],
          default: true,
        },
      ],
    },
  ],
  rootChildren: [{ type: 'route', uuid: 'route' }],
});

/** Files with which peers are started. */
interface Files {
  document: string;
  data: string;
  mockoon: string;
}

interface Peer {
  name: string;
  script: string;
  args(files: Files, port: string): string[];
}

const peers: Peer[] = [
  {
    name: 'json-server 1',
    script: 'json-server/lib/bin.js',
    args: ({ data }, port) => [data, '--port', port],
  },
  {
    name: 'json-server 0.17',
    script: 'json-server-0.17/lib/cli/bin.js',
    args: ({ data }, port) => [data, '--port', port, '--quiet'],
  },
  {
    name: 'Mockoon',
    script: '@mockoon/cli/bin/run.js',
    args: ({ mockoon }, port) => [
      ...['start', '--data', mockoon, '--repair', '--port', port],
      ...['--disable-log-to-file', '--disable-admin-api'],
    ],
  },
  {
    name: 'Prism',
    script: '@stoplight/prism-cli/dist/index.js',
    args: ({ document }, port) => ['mock', document, '--port', port, '--verboseLevel', 'silent'],
  },
];

export interface PeerSides {
  /** Peers from npm. */
  peers: Side[];
  /** Server of ready examples that represents stripe-mock. */
  fixtures: Side;
}

/** Starts every peer with one response, each with its own command line. Disposing of the stack stops them. */
export async function startPeers(
  response: PeerResponse,
  home: string,
  servers: AsyncDisposableStack,
): Promise<PeerSides> {
  await installOnce(folder);
  const { jsonServer, requested, body } = response;
  const files: Files = {
    document: join(home, 'openapi.json'),
    data: join(home, 'data.json'),
    mockoon: join(home, 'mockoon.json'),
  };
  await writeFile(files.document, JSON.stringify(documentOf(response)));
  await writeFile(files.data, JSON.stringify(jsonServer.data));
  await writeFile(files.mockoon, JSON.stringify(mockoonFile(response)));
  const start = async (name: string, server: BenchServer, path: string): Promise<Side> => {
    const side = { name, server: servers.use(server), request: get(server.baseUrl + path) };
    const sent = await (await sendOnce(side.request)).json();
    for (const [field, value] of Object.entries(body))
      if (JSON.stringify(sent[field]) !== JSON.stringify(value)) throw new Error(`${name}: another ${field}`);
    return side;
  };
  const started: Side[] = [];
  for (const { name, script, args } of peers) {
    const server = await startBenchServer(
      `../peers/node_modules/${script}`,
      { HOME: home },
      { args: args(files, String(await freePort())), preload: 'servers/of-others.ts', quiet: true },
    );
    started.push(
      await start(name, server, name.startsWith('json-server') ? jsonServer.requested : requested),
    );
  }
  const fixtures = await startBenchServer('fixtures.ts', { DOCUMENT: files.document });
  return { peers: started, fixtures: await start('fixture server', fixtures, requested) };
}
