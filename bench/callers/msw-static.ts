/** Polls msw's own handlers that answer the same text and headers to whatever comes, at the addresses of ADDRESSES. */
import { type HttpHandler, HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import type { Poll } from './poll.ts';
import { serveRounds } from './serve-rounds.ts';

const { POLL = '', ADDRESSES = '' } = process.env;
// safe: what bench/measures/mock.ts wrote there
const poll = JSON.parse(POLL) as Poll;
const {
  answer: { text, headers },
} = poll;

const handlers = ADDRESSES.split('\n').map((address): HttpHandler => {
  const [method, path = ''] = address.split(' ');
  return (method === 'GET' ? http.get : http.post)(path, () => new HttpResponse(text, { headers }));
});
setupServer(...handlers).listen({ onUnhandledFrame: 'error' });
serveRounds(fetch, poll);
