import { type CreatedOrder, isTopupError, type OrderRequest } from '@topup-kit/sdk/light';
import { Problem } from '../../errors/problem.ts';
import type { OrderNote } from '../../orders-state/order-notes.ts';
import type { KeyWatch } from './key-watch.ts';
import type { Placing } from './placing.ts';
import { lookFirst, outcomeUnknown } from './unfinished-problems.ts';

/** Milliseconds for a question that is answered without making anything. */
const timeout = 10_000;

const statusOf = ({ details: { cause } }: Problem): number | undefined =>
  isTopupError(cause) && cause.name === 'TopupHttpError' ? cause.status : undefined;

/**
 * Whether the service honours keys, learned from an order that can never be made: one that lacks all that an order
 * takes. Anything but a refusal of it tells nothing.
 */
async function honoursKeys({ service, keyWatch }: Placing): Promise<boolean> {
  // safe: an order that no service can make is what this is for
  const impossible = {} as OrderRequest;
  keyWatch.reset();
  try {
    await service.ask((client, options) => client.orders.create(impossible, { ...options, timeout }));
    return false;
  } catch (error) {
    if (error instanceof Problem && statusOf(error) === 422) return keyWatch.carriedBack();
    throw error;
  }
}

/**
 * Whether a refusal says that no attempt made the order: a service that honours keys looks for the key before it
 * judges the order (open points, Errors: order of checks).
 */
const settles = (error: unknown, keyWatch: KeyWatch): error is Problem =>
  error instanceof Problem && [404, 422].includes(statusOf(error) ?? 0) && keyWatch.carriedBack();

/** Finishes an order that an earlier run began: the same request with the same key, where keys are honoured. */
export async function finishOrder({ order, forget }: OrderNote, placing: Placing): Promise<void> {
  const { service, keyWatch, tell } = placing;
  const { request, idempotency_key: idempotencyKey, base_url } = order;
  let answer: CreatedOrder;
  try {
    if (!(await honoursKeys(placing)))
      throw lookFirst(
        `This order was begun and not finished, and ${base_url} does not show that it honours idempotency keys: sent again, the order might be made twice.`,
        order,
      );
    keyWatch.reset();
    answer = await service.ask((client, options) =>
      client.orders.create(request, { ...options, idempotencyKey }),
    );
  } catch (error) {
    if (settles(error, keyWatch)) {
      forget();
      throw error;
    }
    if (!(error instanceof Problem) || error.details.code === 'UNFINISHED_ORDER') throw error;
    throw outcomeUnknown(error);
  }
  await tell(answer);
  forget();
}
