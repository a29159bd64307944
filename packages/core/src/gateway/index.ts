export * from './emv-qr.ts';
export * from './gateway.ts';
export * from './simulated-gateway.ts';
