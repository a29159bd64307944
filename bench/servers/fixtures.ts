/**
 * Fixture server similar to stripe-mock, which is a Go program that npm can't install. It finds the operation of a request in the OpenAPI
 * document in the file DOCUMENT, requires its key, and serialises the example.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { PeerDocument } from '../peers.ts';
import { listenForBench } from './listen.ts';

// Safe: peers.ts wrote it.
const { paths } = JSON.parse(readFileSync(process.env.DOCUMENT ?? '', 'utf8')) as PeerDocument;
const operations = Object.entries(paths).map(([path, { get }]) => ({
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  example: get.responses['200'].content['application/json'].example,
}));

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://localhost');
  const operation = operations.find(({ pattern }) => pattern.test(pathname));
  const status = request.headers['x-api-key'] === undefined ? 401 : operation ? 200 : 404;
  const body = JSON.stringify(status === 200 ? operation?.example : { message: 'no such example' });
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
});
listenForBench(server);
