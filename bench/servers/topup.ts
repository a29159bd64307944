import { readConfig, startServer } from '@topup-kit/server';
import { reportToBench } from './report-to-bench.ts';

const server = await startServer(readConfig(process.env, { mode: 'sandbox', port: '0' }));
reportToBench(server.baseUrl);
