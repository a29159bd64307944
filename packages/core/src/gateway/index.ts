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
export { readFoundPayment, readPayment, readPaymentNews, readPaymentReport } from './results.ts';
export { createSimulatedGateway, emvQr } from './simulated.ts';
export { type GatewayCase, type GatewayDouble, type GatewayFault, gatewayCases } from './suite.ts';
