export type {
  ExpiryLimits,
  FindPaymentResult,
  GatewayPayment,
  LocalGateway,
  PaymentGateway,
  PaymentItem,
  PaymentRequest,
  RemoteGateway,
} from './gateway.ts';
export { readFoundPayment, readPayment } from './results.ts';
export { createSimulatedGateway } from './simulated.ts';
