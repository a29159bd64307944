// Generated from the schemas of the contract: do not edit, run `npx -y pnpm@12 generate`.

import type {
  CheckAccountResponse,
  CreateOrderResponse,
  GetCheckoutResponse,
  GetGameResponse,
  GetInvoiceResponse,
  GetPaymentStatusResponse,
  ListEventsResponse,
  ListGamesResponse,
  ListOrdersResponse,
  ValidatePromoResponse,
} from './types.ts';

/** The success response of each operation. */
export interface Responses {
  listGames: ListGamesResponse;
  getGame: GetGameResponse;
  getCheckout: GetCheckoutResponse;
  createOrder: CreateOrderResponse;
  listOrders: ListOrdersResponse;
  getInvoice: GetInvoiceResponse;
  validatePromo: ValidatePromoResponse;
  checkAccount: CheckAccountResponse;
  listEvents: ListEventsResponse;
  getPaymentStatus: GetPaymentStatusResponse;
}
