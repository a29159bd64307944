/** Only indexes: servers of the format before go on. */
export const ofAnOrder = /* sql */ `
  -- What an order's page of the console shows besides the order.
  CREATE INDEX callbacks_of_order ON callbacks (order_id, received_at, callback_id) WHERE order_id IS NOT NULL;
  CREATE INDEX webhook_deliveries_of_order ON webhook_deliveries (order_id, place DESC, endpoint_id)
    WHERE order_id IS NOT NULL;
`;
