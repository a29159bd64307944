import { readConfig, startServer } from '@topup-kit/server';
import { createGateway } from './gateway.ts';
import { createSupplier } from './supplier.ts';

const gateway = createGateway('https://gateway.example', process.env.GATEWAY_KEY ?? '');
const supplier = createSupplier('https://supplier.example', process.env.SUPPLIER_KEY ?? '');
const server = await startServer(readConfig(process.env), { gateway, supplier });

// Ctrl+C sends SIGINT, systemd and Docker send SIGTERM: requests in progress are finished first.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void server.close());
