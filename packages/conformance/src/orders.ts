import type { CreateOrderResponse, GetInvoiceResponse } from '@topup-kit/core/contract';
import { orderSchema, pricingSchema, responseSchemas } from '@topup-kit/core/schemas';
import { expectStatus, readAt, rowsOf } from './assertions.ts';
import type { SpecReference } from './failure.ts';
import type { Probe, ProbedResponse, SentHeaders } from './probe.ts';

const created: SpecReference = 'interface 7.2/POST-order-201';

/** An accepted order: the response, and the order parsed from it. */
interface Created {
  response: ProbedResponse;
  order: CreateOrderResponse['data'];
}

/** Checks and parses a 201, innermost objects first, so that a failure cites the row of its field. */
export function readCreated(probe: Probe, response: ProbedResponse, by: SpecReference = created): Created {
  expectStatus(response, 201, by);
  const pricingRows = rowsOf('2.4', 'interface 2.3/pricing');
  readAt(probe, response, { path: 'data.pricing', schema: pricingSchema, rows: pricingRows });
  const orderRows = rowsOf('2.3', 'interface 4.2/data');
  const order = readAt(probe, response, { path: 'data', schema: orderSchema, rows: orderRows });
  readAt(probe, response, { schema: responseSchemas.createOrder, rows: rowsOf('4.2', created) });
  return { response, order };
}

/** Places the fixture's order with changes. According to the cited sentence, the service must accept it. */
export const placeOrder = async (
  probe: Probe,
  changes: object = {},
  { headers = {}, by = created }: { headers?: SentHeaders; by?: SpecReference } = {},
): Promise<Created> => readCreated(probe, await probe.order(changes, headers), by);

const route: SpecReference = 'open-points Routes/GET-invoice-order_id';
const rows: ReadonlyMap<string, SpecReference> = new Map(
  Object.entries<SpecReference>({
    order: 'open-points Routes/Invoice-order-live-order_id-games-title',
    game: 'open-points Routes/Invoice-game-Game-without-category-category_id',
    product: 'open-points Routes/Invoice-product-id-code-title-brand',
  }),
);

export async function readInvoice(
  probe: Probe,
  orderId: string,
): Promise<{ response: ProbedResponse; invoice: GetInvoiceResponse }> {
  const response = await probe.get(`/invoice/${orderId}`);
  expectStatus(response, 200, route);
  const schema = responseSchemas.getInvoice;
  return {
    response,
    invoice: readAt(probe, response, { schema, rows: (field) => rows.get(field) ?? route }),
  };
}
