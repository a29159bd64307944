/** An order that every sandbox and mock accepts, as code. */
export const order = `{
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
}`;

/** What a program of these journeys prints once its order is placed. */
export const placed = /^INV-\d{14}-[A-Z0-9]{8} UNPAID$/m;
