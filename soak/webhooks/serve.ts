/** Runs a server like `helpers/serve.ts`, whose time passes faster from START on, so that retries come soon. */
import { readConfig, startServer } from '../../packages/server/src/index.ts';
import { fastTime } from './fast-time.ts';

const server = await startServer(readConfig(process.env), {
  realClock: fastTime(Number(process.env.START)),
});
process.once('SIGTERM', () => void server.close());
process.stdout.write(`${server.baseUrl}\n`);
