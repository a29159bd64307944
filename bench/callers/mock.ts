/** Polls the in-process mock. */
import { createMockService } from '@topup-kit/mock/in-process';
import { preparePoll } from './poll.ts';
import { serveRounds } from './serve-rounds.ts';

const mock = createMockService();
serveRounds(mock.fetch, await preparePoll(mock));
