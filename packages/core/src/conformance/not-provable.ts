import type { Citation } from './citation.ts';

/** Statements of the interface that no request can prove, and why. */
export const notProvable: Partial<Record<Citation, string>> = {
  'interface 2.4/The-currency-unit-is-not-stated': 'says what the document leaves out',
  'interface 2.4/How-payment_fee-and-unique_code-combine-into': 'says what the document leaves out',
  'interface 2.5/Product-referenced-by-product_id-fields-not': 'says what the document leaves out',
  'interface 2.5/Payment-method-referenced-by-payment_method_id-fields': 'says what the document leaves out',
  'interface 2.5/Promo-referenced-by-promo_code-fields-and': 'says what the document leaves out',
  'interface 4.3/Their-methods-paths-and-payloads-not': 'says what the document leaves out',
  'interface 5/How-keys-are-issued-rotated-or': 'says what the document leaves out',
  'interface 7.1/The-set-of-error_code-values-only': 'says what the document leaves out',
  'interface 7.2/Body-of-404-and-500-responses': 'says what the document leaves out',
  'interface 5/The-key-is-a-server-side': "is asked of whoever holds the key; the service can't show it",
  'interface 5/It-is-not-to-be-embedded': "is asked of whoever holds the key; the service can't show it",
  'interface 7.2/POST-order-500': "a client can't make a gateway or a store fail",
};
