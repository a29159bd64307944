export type { LocalGateway, PaymentGateway, PaymentRequest, RemoteGateway } from './gateway.ts';
export { createSimulatedGateway, emvQr } from './simulated.ts';
