import { answerSchemas, type InvoiceAnswer } from '../contract/index.ts';
import { expectStatus, readAt } from './check.ts';
import type { Citation } from './citation.ts';
import type { Answer, Probe } from './probe.ts';

const route: Citation = 'open-points Routes/GET-invoice-order_id';
const rows: Record<string, Citation> = {
  order: 'open-points Routes/Invoice-order-live-order_id-games-title',
  game: 'open-points Routes/Invoice-game-Game-without-category-category_id',
  product: 'open-points Routes/Invoice-product-id-code-title-brand',
};

/** Reads an order's invoice. */
export async function readInvoice(
  probe: Probe,
  orderId: string,
): Promise<{ answer: Answer; invoice: InvoiceAnswer }> {
  const answer = await probe.get(`/invoice/${orderId}`);
  expectStatus(answer, 200, route);
  const schema = answerSchemas.getInvoice;
  return { answer, invoice: readAt(probe, answer, { schema, rows: (field) => rows[field] ?? route }) };
}
