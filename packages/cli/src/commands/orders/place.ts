import { randomUUID } from 'node:crypto';
import { headers } from '@topup-kit/core/contract';
import type { CreatedOrder, TopupHttpError } from '@topup-kit/sdk';
import { type CreateOrderRequest, isTopupError } from '@topup-kit/sdk/light';
import type { CommandContext } from '../../context.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import { type Choice, createPrompts } from '../../input/prompts.ts';
import { readableTime } from '../../output/format.ts';
import {
  claimOrder,
  deleteOrder,
  hashApiKey,
  inJournal,
  type PendingOrder,
  type SavedOrder,
  saveOrder,
  unfinishedOrders,
} from '../../pending-orders/journal.ts';
import type { Service } from '../../service/client.ts';

/** An order that was placed and printed. */
export interface PlacedOrder {
  orderId: string;
  /** Page on which the customer pays, which also shows the status. */
  pageUrl: string | null;
  /** True if the service has no route for invoices. */
  showsNone: boolean;
}

export interface OrderPlacement {
  service: Service;
  request: CreateOrderRequest;
  /** True if an order should be placed even if an equal one is unfinished. */
  another: boolean;
  /** Prints the order, after which its entry may be deleted. */
  print(response: CreatedOrder): Promise<PlacedOrder>;
}

const lookForIt =
  'Look for it first: at the service, or with `orders list` if you run the server. To discard this order and place another, run the command again with --another.';

/** Adds the unknown outcome to an error. It is unknown whether the order was placed, so its entry stays. */
const outcomeUnknown = (error: CliError): CliError =>
  error.with({
    exitCode: exitCodes.unknownOutcome,
    hint: 'It is unknown whether the order was placed. The command saved it. Run the same command again to finish the order with the same key, so that it is placed once.',
  });

/** Returns the error for an order that can't be finished safely, because only the user can find out whether it was placed. */
const lookFirst = (
  message: string,
  { idempotency_key: idempotencyKey }: PendingOrder,
  details: Pick<CliError['details'], 'code' | 'hint'> = {
    code: 'UNFINISHED_ORDER',
    hint: `Nothing was sent, because the order may have been placed already. ${lookForIt}`,
  },
): CliError => new CliError(message, { ...details, exitCode: exitCodes.unknownOutcome, idempotencyKey });

const unreadable = (file: string): CliError =>
  new CliError(`The record of an unfinished order can't be read: ${file}`, {
    code: 'STATE_FILE',
    exitCode: exitCodes.unknownOutcome,
    hint: 'Nothing was sent: this order may have been placed already. Look for it at the service first; then run the command again with --another, which discards the entry.',
  });

/** Lifetime of a key in milliseconds. Some services forget a key after 24 hours; one hour allows for clock differences. */
const keyLifetime = 23 * 60 * 60_000;
/** Tolerance for clocks that were set back a little, in milliseconds. */
const clockSlack = 60_000;

/** Timeout in milliseconds. */
const timeout = 10_000;

/** Returns the error response that caused an error; undefined if there is none. */
function responseOf(error: unknown): TopupHttpError | undefined {
  const cause = error instanceof CliError ? error.details.cause : undefined;
  return isTopupError(cause) && cause.name === 'TopupHttpError' ? cause : undefined;
}

const toOutcomeUnknown = (error: unknown): unknown =>
  error instanceof CliError ? outcomeUnknown(error) : error;

/** Tells whether the service shows the order of a key, so that the key can't place another order. */
async function isKnown({ service }: OrderPlacement, order: PendingOrder): Promise<boolean> {
  const { idempotency_key, request, started_at } = order;
  const page = await service
    .ask((client, options) => client.orders.list({ idempotency_key }, { ...options, timeout }))
    .catch((error: unknown) => {
      const { status = 0 } = responseOf(error) ?? {};
      if (status >= 400 && status < 500) return undefined;
      throw toOutcomeUnknown(error);
    });
  const [found, ...others] = page?.data ?? [];
  // A service that ignores the query would show any order.
  return (
    others.length === 0 &&
    found?.quantity === (request.quantity ?? 1) &&
    Date.parse(found.created_at) >= Date.parse(started_at) - clockSlack
  );
}

/** Returns the reason against sending an order again with its key; undefined if it is safe. */
async function whyNotToResend(placement: OrderPlacement, order: PendingOrder): Promise<string | undefined> {
  const { apiKey } = placement.service.connection;
  if (order.api_key_hash !== hashApiKey(apiKey)) return 'It was started with another API key.';
  const age = Date.now() - Date.parse(order.started_at);
  if ((age > keyLifetime || age < -clockSlack) && !(await isKnown(placement, order)))
    return 'That is too long ago: the service shows no order with its key, and may have deleted the key.';
  return undefined;
}

/** Asks what to do about an unfinished order of an earlier run; without a terminal, decides itself. */
async function finishOrReplace(
  context: CommandContext,
  placement: OrderPlacement,
  order: PendingOrder,
): Promise<'finish' | 'replace'> {
  const reason = await whyNotToResend(placement, order);
  const unfinished = `This order was started ${readableTime(Date.parse(order.started_at))} and not finished`;
  const { io, promptTerminal } = context;
  if (!promptTerminal) {
    if (reason !== undefined) throw lookFirst(`${unfinished}. ${reason}`, order);
    context.remark(`${unfinished}: finishing it with the same key, so that it is placed once.`);
    return 'finish';
  }
  const finish: Choice<string> = { value: 'finish', label: 'Finish it', hint: 'the order is placed once' };
  const answer = await (await createPrompts(io, promptTerminal)).choose(
    `${unfinished}.\n${reason ?? 'It may or may not have been placed. What next?'}`,
    [
      ...(reason === undefined ? [finish] : []),
      { value: 'nothing', label: 'Nothing', hint: 'to look for it first' },
      { value: 'another', label: 'Place another order', hint: 'and discard the unfinished one' },
    ],
  );
  if (answer === 'nothing')
    throw new CliError('Nothing was ordered.', { code: 'DECLINED', exitCode: exitCodes.failure });
  io.stderr.write('\n');
  return answer === 'finish' ? 'finish' : 'replace';
}

/**
 * Tells whether the service honours keys and echoes them (open points, Idempotency). Sends an order without fields, which can't be placed,
 * and reads the rejection.
 */
async function honoursKeys({ service }: OrderPlacement): Promise<boolean> {
  // Safe: the code sends an invalid order on purpose.
  const impossible = {} as CreateOrderRequest;
  const idempotencyKey = randomUUID();
  try {
    await service.ask((client, options) =>
      client.orders.create(impossible, { ...options, timeout, idempotencyKey }),
    );
    return false;
  } catch (error) {
    const response = responseOf(error);
    if (response?.status !== 422) throw toOutcomeUnknown(error);
    return response.headers.get(headers.idempotencyKey) === idempotencyKey;
  }
}

/** Sends a saved order, and deletes its file after the result is printed. `explain` gets the error if the sending fails. */
async function send(
  context: CommandContext,
  { service, print }: OrderPlacement,
  saved: SavedOrder,
  explain: (error: CliError) => CliError,
): Promise<PlacedOrder> {
  const { request, idempotency_key: idempotencyKey } = saved.order;
  const response = await service
    .ask((client, options) => client.orders.create(request, { ...options, idempotencyKey }), request)
    .catch((error: unknown) => {
      // It is unknown whether an internal error happened before or after the request was sent.
      throw error instanceof CliError ? explain(error) : error;
    });
  const placed = await print(response);
  inJournal(context.io, () => deleteOrder(saved));
  return placed;
}

/** Sends the order of an earlier run with the same key, if the service honours keys. */
async function finishOrder(
  context: CommandContext,
  placement: OrderPlacement,
  saved: SavedOrder,
): Promise<PlacedOrder> {
  const { order } = saved;
  if (!(await honoursKeys(placement)))
    throw lookFirst(
      `This order was started and not finished, and ${order.base_url} does not show that it honours idempotency keys: if it is sent again, it might be placed twice.`,
      order,
    );
  // An error in this run doesn't show whether the earlier run placed the order, so its file stays.
  return send(context, placement, saved, (error) => {
    // The service no longer replays the response to this key. The entry stays, so that the command still means the same order.
    if (error.details.code === 'IDEMPOTENCY_KEY_USED')
      return error.with({
        hint: `${error.details.hint}\nTo place another one, run the command again with --another.`,
      });
    // A service may validate an order before it checks the key.
    if ([404, 422].includes(responseOf(error)?.status ?? 0))
      return lookFirst(`The service rejects it now: ${error.message}`, order, {
        ...error.details,
        hint: `The first run may still have placed it. ${lookForIt}`,
      });
    return outcomeUnknown(error);
  });
}

/**
 * Places an order so that a kill at any moment never causes a second order: the order is saved before it is sent, and the same command
 * finishes an order that an earlier run started. Resolves when the order is printed.
 */
export async function sendOrder(context: CommandContext, placement: OrderPlacement): Promise<PlacedOrder> {
  const { service, request, another } = placement;
  const { io } = context;
  const { baseUrl, apiKey } = service.connection;
  const identity = { base_url: baseUrl, api_key_hash: hashApiKey(apiKey), request };
  const unfinished = inJournal(io, () => unfinishedOrders(io, identity));
  const [oldest] = unfinished;
  // With --another, the user knows about the unfinished orders.
  if (oldest && !another) {
    if (oldest.order === undefined) throw unreadable(oldest.file);
    if ((await finishOrReplace(context, placement, oldest.order)) === 'finish') {
      const claimed = inJournal(io, () => claimOrder(oldest));
      // Undefined if another process claimed the order first; this process then checks again.
      return claimed ? finishOrder(context, placement, claimed) : sendOrder(context, placement);
    }
  }
  // Saved before the old entries are deleted, because until then they are the only record.
  const saved = inJournal(io, () => saveOrder(io, identity));
  inJournal(io, () => unfinished.forEach(deleteOrder));
  return send(context, placement, saved, (error) => {
    if (error.details.exitCode === exitCodes.unknownOutcome) return outcomeUnknown(error);
    inJournal(io, () => deleteOrder(saved));
    return error;
  });
}
