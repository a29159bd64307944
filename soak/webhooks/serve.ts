/** Runs a server like `helpers/serve.ts`. Its time passes faster from START on, so that retries come soon. */
import { mapPaymentGroups } from '@topup-kit/core/contract';
import { readConfig, startServer } from '../../packages/server/src/index.ts';
import { fastTime } from './fast-time.ts';

const server = await startServer(readConfig(process.env), {
  realClock: fastTime(Number(process.env.START)),
  // Two seconds in real time.
  paymentTime: mapPaymentGroups(() => 2 * 60_000),
});
process.once('SIGTERM', () => void server.close());
process.stdout.write(`${server.baseUrl}\n`);
