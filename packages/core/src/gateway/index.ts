export type { LocalGateway, PaymentGateway, PaymentRequest, RemoteGateway } from './gateway.ts';
export { createSimulatedGateway } from './simulated.ts';
