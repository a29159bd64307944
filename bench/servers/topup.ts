import { readConfig, startServer } from '@topup-kit/server';
import { tellParent } from './tell-parent.ts';

const server = await startServer(readConfig(process.env, { mode: 'sandbox', port: '0' }));
tellParent(server.baseUrl);
