export type {
  CheckPayment,
  ExpiryLimits,
  FindPaymentRequest,
  FindPaymentResult,
  GatewayPayment,
  ListedPayment,
  LocalGateway,
  PaymentCallback,
  PaymentGateway,
  PaymentItem,
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
  readPaymentCallback,
  readPaymentReport,
} from './results.ts';
export { createSimulatedGateway, emvQr } from './simulated.ts';
