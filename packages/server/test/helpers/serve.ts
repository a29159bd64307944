/** Runs a server in its own process, with settings from the environment. Prints its base URL when it is ready. */
import { readConfig, startServer } from '../../src/index.ts';

const server = await startServer(readConfig(process.env));
process.once('SIGTERM', () => void server.close());
process.stdout.write(`${server.baseUrl}\n`);
