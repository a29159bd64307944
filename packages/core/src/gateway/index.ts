export type {
  CheckPayment,
  ExpiryLimits,
  FindPaymentRequest,
  FindPaymentResult,
  GatewayPayment,
  ListedPayment,
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
  readListedPayments,
  readPayment,
  readPaymentNews,
  readPaymentReport,
} from './results.ts';
export { createSimulatedGateway, emvQr } from './simulated.ts';
