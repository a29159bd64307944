/** Polls the mock through its MSW handlers. */
import { createTopupMock } from '@topup-kit/mock';
import { preparePoll } from './poll.ts';
import { serveRounds } from './serve-rounds.ts';

const mock = createTopupMock();
const poll = await preparePoll(mock);
const server = await mock.server();
server.listen({ onUnhandledFrame: 'error' });
serveRounds(fetch, poll);
