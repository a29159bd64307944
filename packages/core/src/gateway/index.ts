export type {
  CheckPayment,
  ExpiryLimits,
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
} from './gateway.ts';
export { readFoundPayment, readPayment, readPaymentNews, readPaymentReport } from './results.ts';
export { createSimulatedGateway, emvQr } from './simulated.ts';
