/** Polls plain msw handlers at the addresses in ADDRESSES, which always send the same text and headers. */
import { type HttpHandler, HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import type { Poll } from './poll.ts';
import { serveRounds } from './serve-rounds.ts';

const { POLL = '', ADDRESSES = '' } = process.env;
// Safe: bench/measures/mock.ts wrote it.
const poll = JSON.parse(POLL) as Poll;
const {
  response: { text, headers },
} = poll;

const handlers = ADDRESSES.split('\n').map((address): HttpHandler => {
  const [method, path = ''] = address.split(' ');
  return (method === 'GET' ? http.get : http.post)(path, () => new HttpResponse(text, { headers }));
});
setupServer(...handlers).listen({ onUnhandledFrame: 'error' });
serveRounds(fetch, poll);
