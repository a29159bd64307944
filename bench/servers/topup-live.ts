import { readConfig, startServer } from '@topup-kit/server';
import { liveParts } from '../../packages/server/test/helpers/live-parts.ts';
import { reportToBench } from './report-to-bench.ts';

const server = await startServer(readConfig(process.env, { port: '0' }), liveParts);
reportToBench(server.baseUrl);
