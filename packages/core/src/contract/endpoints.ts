/**
 * Method and path of each operation. They are separate from the route table, so that a client's bundle contains nothing else. Paths are
 * relative to `{base_url}`; `{name}` is a path parameter.
 */
export const endpoints = {
  listGames: { method: 'GET', path: '/games' },
  getGame: { method: 'GET', path: '/games/{slug}' },
  getCheckout: { method: 'GET', path: '/order/{slug}' },
  createOrder: { method: 'POST', path: '/order' },
  listOrders: { method: 'GET', path: '/orders' },
  getInvoice: { method: 'GET', path: '/invoice/{order_id}' },
  getPaymentStatus: { method: 'GET', path: '/invoice/{order_id}/payment-status' },
  validatePromo: { method: 'POST', path: '/promo/validate' },
  checkAccount: { method: 'POST', path: '/account/check' },
  listEvents: { method: 'GET', path: '/events' },
} as const;
