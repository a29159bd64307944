export type {
  CheckPayment,
  ExpiryLimits,
  FindPaymentRequest,
  FindPaymentResult,
  GatewayPayment,
  LocalGateway,
  PaymentGateway,
  PaymentItem,
  PaymentNews,
  PaymentQuestion,
  PaymentReport,
  PaymentRequest,
  RemoteGateway,
  UnusablePayment,
} from './gateway.ts';
export { readFoundPayment, readPayment, readPaymentReport } from './results.ts';
export { createSimulatedGateway, emvQr } from './simulated.ts';
