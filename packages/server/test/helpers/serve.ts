/** A server as a process of its own: settings from the environment; prints its base URL when it answers. */
import { readConfig, startServer } from '../../src/index.ts';

const server = await startServer(readConfig(process.env));
process.once('SIGTERM', () => void server.close());
process.stdout.write(`${server.baseUrl}\n`);
