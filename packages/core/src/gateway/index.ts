export type * from './gateway.ts';
export * from './reports.ts';
export { readCreatedPayment, readFoundPayment, readPayment } from './results.ts';
export { createSimulatedGateway, emvQr } from './simulated.ts';
