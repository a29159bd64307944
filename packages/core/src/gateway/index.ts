export type * from './gateway.ts';
export * from './results.ts';
export { createSimulatedGateway, emvQr } from './simulated.ts';
