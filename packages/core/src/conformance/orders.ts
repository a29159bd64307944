import { answerSchemas, type OrderCreatedAnswer, orderSchema, pricingSchema } from '../contract/index.ts';
import { expectStatus, readAt, rowsOf } from './check.ts';
import type { Citation } from './citation.ts';
import type { Answer, Probe, SentHeaders } from './probe.ts';

const created: Citation = 'interface 7.2/POST-order-201';

/** An order that was taken: the answer as it came, and what the contract reads in it. */
export interface Created {
  answer: Answer;
  order: OrderCreatedAnswer['data'];
}

/** Reads a 201, from the inside out, so that a failure cites the row of its field. */
export function readCreated(probe: Probe, answer: Answer, by: Citation = created): Created {
  expectStatus(answer, 201, by);
  const pricingRows = rowsOf('2.4', 'interface 2.3/pricing');
  readAt(probe, answer, { path: 'data.pricing', schema: pricingSchema, rows: pricingRows });
  const orderRows = rowsOf('2.3', 'interface 4.2/data');
  const order = readAt(probe, answer, { path: 'data', schema: orderSchema, rows: orderRows });
  readAt(probe, answer, { schema: answerSchemas.createOrder, rows: rowsOf('4.2', created) });
  return { answer, order };
}

/** Orders the sample with changes, which the sentence promises to be taken. */
export const placeOrder = async (
  probe: Probe,
  changes: object = {},
  { headers = {}, by = created }: { headers?: SentHeaders; by?: Citation } = {},
): Promise<Created> => readCreated(probe, await probe.order(changes, headers), by);
