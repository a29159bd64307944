export type { PaymentGroup, TargetField } from '@topup-kit/core/contract';
export type {
  Catalog,
  CatalogGame,
  CatalogPaymentMethod,
  CatalogProduct,
  Discount,
  Promo,
} from '@topup-kit/core/store';
