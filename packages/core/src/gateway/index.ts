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
  RejectedPayment,
  RemoteGateway,
  UnusablePayment,
} from './gateway.ts';
export {
  readCreatedPayment,
  readFoundPayment,
  readPayment,
  readPaymentNews,
  readPaymentReport,
} from './results.ts';
export { createSimulatedGateway, emvQr } from './simulated.ts';
export { type GatewayCase, type GatewayDouble, type GatewayFault, gatewayCases } from './suite.ts';
