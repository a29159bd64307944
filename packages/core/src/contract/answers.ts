import type * as Wire from './types/index.ts';

/** The successful answer of each operation. */
export interface Answers {
  listGames: Wire.GameListAnswer;
  getGame: Wire.GameAnswer;
  getCheckout: Wire.CheckoutAnswer;
  createOrder: Wire.OrderCreatedAnswer;
  getInvoice: Wire.InvoiceAnswer;
  getPaymentStatus: Wire.PaymentStatusAnswer;
  validatePromo: Wire.PromoValidationAnswer;
}
