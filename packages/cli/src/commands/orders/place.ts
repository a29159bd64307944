import type { CreatedOrder } from '@topup-kit/sdk';
import { type CreateOrderRequest, isTopupError } from '@topup-kit/sdk/light';
import type { CommandContext } from '../../context.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import { type Choice, createPrompts } from '../../input/prompts.ts';
import { readableTime } from '../../output/format.ts';
import {
  hashApiKey,
  type JournalEntry,
  openJournal,
  type PendingOrder,
} from '../../pending-orders/journal.ts';
import type { Service } from '../../service/client.ts';

/** An order that was placed and printed. */
export interface PlacedOrder {
  orderId: string;
  /** The page to pay at, which also shows the status. */
  pageUrl: string | null;
  /** Whether the service has no route for invoices. */
  showsNone: boolean;
}

/** Whether the service echoes idempotency keys, as services that honour them do (open points, Idempotency). */
export interface KeyEcho {
  /** Whether the last response contained the key of its request. */
  wasEchoed(): boolean;
  reset(): void;
}

export interface OrderPlacement {
  service: Service;
  keyEcho: KeyEcho;
  request: CreateOrderRequest;
  /** Places an order even if an equal one is unfinished. */
  another: boolean;
  /** Prints the order, after which its entry may be deleted. */
  print(response: CreatedOrder): Promise<PlacedOrder>;
}

const lookForIt =
  'Look for it first: at the service, or with `orders list` where the store is yours. To place another one and discard this one, run the command again with --another.';

/** It is unknown whether the order was placed, so its entry stays. */
const outcomeUnknown = ({ message, details }: CliError): CliError =>
  new CliError(message, {
    ...details,
    exitCode: exitCodes.unknownOutcome,
    hint: 'It is unknown whether the order was placed. It is saved: run the same command again to finish it with the same key, so that it is placed once.',
  });

/** The rejection of an order that an earlier run sent: a service may validate an order before it looks at its key. */
const rejectedNow = ({ message, details }: CliError, order: PendingOrder): CliError =>
  new CliError(`The service rejects it now: ${message}`, {
    ...details,
    exitCode: exitCodes.unknownOutcome,
    idempotencyKey: order.idempotency_key,
    hint: `The first run may still have placed it. ${lookForIt}`,
  });

/** The service replays its response no longer. The entry stays, so that the command still means the same order. */
const alreadyPlaced = ({ message, details }: CliError): CliError =>
  new CliError(message, {
    ...details,
    hint: `${details.hint}\nTo place another one, run the command again with --another.`,
  });

/** An order that can't be finished safely: only the user can find out whether it was placed. */
const lookFirst = (message: string, order: PendingOrder): CliError =>
  new CliError(message, {
    code: 'UNFINISHED_ORDER',
    exitCode: exitCodes.unknownOutcome,
    idempotencyKey: order.idempotency_key,
    hint: `Nothing was sent, because the order may have been placed already. ${lookForIt}`,
  });

/** In milliseconds. Some services forget a key after 24 hours; one hour allows for clock differences. */
const keyLifetime = 23 * 60 * 60_000;
/** In milliseconds, for clocks that were set back a little. */
const clockSlack = 60_000;

/** In milliseconds. */
const timeout = 10_000;

const statusOf = ({ details: { cause } }: CliError): number | undefined =>
  isTopupError(cause) && cause.name === 'TopupHttpError' ? cause.status : undefined;

/** Whether the service shows the order of a key, so that it places no other one with it. */
async function isKnown({ service }: OrderPlacement, order: PendingOrder): Promise<boolean> {
  const { idempotency_key, request, started_at } = order;
  const page = await service
    .ask((client, options) => client.orders.list({ idempotency_key }, { ...options, timeout }))
    .catch((error: unknown) => {
      const status = error instanceof CliError ? statusOf(error) : undefined;
      if (status !== undefined && status >= 400 && status < 500) return undefined;
      throw error instanceof CliError ? outcomeUnknown(error) : error;
    });
  const [found, ...others] = page?.data ?? [];
  // A service that ignores the query would show any order.
  return (
    others.length === 0 &&
    found?.quantity === (request.quantity ?? 1) &&
    Date.parse(found.created_at) >= Date.parse(started_at) - clockSlack
  );
}

/** Why an order must not be sent again with its key; undefined if it may be. */
async function reasonNotToResend(
  placement: OrderPlacement,
  order: PendingOrder,
  ownKeyHash: string,
): Promise<string | undefined> {
  const age = Date.now() - Date.parse(order.started_at);
  if (order.api_key_hash !== ownKeyHash) return 'It was started with another API key.';
  if ((age > keyLifetime || age < -clockSlack) && !(await isKnown(placement, order)))
    return 'That is too long ago: the service shows no order with its key, which it may have forgotten.';
  return undefined;
}

/** Asks what to do about the unfinished order of an earlier run; without a terminal, decides. */
async function finishOrReplace(
  context: CommandContext,
  placement: OrderPlacement,
  order: PendingOrder,
  ownKeyHash: string,
): Promise<'finish' | 'replace'> {
  const reason = await reasonNotToResend(placement, order, ownKeyHash);
  const unfinished = `This order was started ${readableTime(Date.parse(order.started_at))} and not finished`;
  const { io, promptTerminal } = context;
  if (!promptTerminal) {
    if (reason !== undefined) throw lookFirst(`${unfinished}. ${reason}`, order);
    context.remark(`${unfinished}: finishing it with the same key, so that it is placed once.`);
    return 'finish';
  }
  const finish: Choice<string> = { value: 'finish', label: 'Finish it', hint: 'the order is placed once' };
  const answer = await (await createPrompts(io, promptTerminal)).choose(
    `${unfinished}.\n${reason ?? 'It may have been placed or not. What next?'}`,
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
 * Whether the service honours keys: sends an order without any field, which can't be placed. Only its rejection shows
 * the answer.
 */
async function honoursKeys({ service, keyEcho }: OrderPlacement): Promise<boolean> {
  // safe: an invalid order is intended
  const impossible = {} as CreateOrderRequest;
  keyEcho.reset();
  try {
    await service.ask((client, options) => client.orders.create(impossible, { ...options, timeout }));
    return false;
  } catch (error) {
    if (error instanceof CliError && statusOf(error) === 422) return keyEcho.wasEchoed();
    throw error;
  }
}

/** An error now doesn't show whether an earlier attempt placed the order. */
function stillUnknown(error: unknown, order: PendingOrder): unknown {
  if (!(error instanceof CliError)) return error;
  if (error.details.code === 'IDEMPOTENCY_KEY_USED') return alreadyPlaced(error);
  return [404, 422].includes(statusOf(error) ?? 0) ? rejectedNow(error, order) : outcomeUnknown(error);
}

/** Finishes an order of an earlier run: sends the same request with the same key, if the service honours keys. */
async function finishOrder(entry: JournalEntry, placement: OrderPlacement): Promise<PlacedOrder> {
  const { order } = entry;
  const { service, keyEcho, print } = placement;
  const { request, idempotency_key: idempotencyKey, base_url } = order;
  const areHonoured = await honoursKeys(placement).catch((error: unknown) => {
    throw error instanceof CliError ? outcomeUnknown(error) : error;
  });
  if (!areHonoured)
    throw lookFirst(
      `This order was started and not finished, and ${base_url} does not show that it honours idempotency keys: if it is sent again, it might be placed twice.`,
      order,
    );
  keyEcho.reset();
  const response = await service
    .ask((client, options) => client.orders.create(request, { ...options, idempotencyKey }), request)
    .catch((error: unknown) => {
      throw stillUnknown(error, order);
    });
  const placed = await print(response);
  entry.delete();
  return placed;
}

/**
 * Sends an order that was just written to the journal. Its entry is deleted after the result is printed, and stays
 * while the result is unknown.
 */
async function sendNew(entry: JournalEntry, { service, print }: OrderPlacement): Promise<PlacedOrder> {
  const { request, idempotency_key: idempotencyKey } = entry.order;
  let response: CreatedOrder;
  try {
    response = await service.ask(
      (client, options) => client.orders.create(request, { ...options, idempotencyKey }),
      request,
    );
  } catch (error) {
    // An internal error may have happened before or after the request was sent.
    if (!(error instanceof CliError)) throw error;
    if (error.details.exitCode === exitCodes.unknownOutcome) throw outcomeUnknown(error);
    entry.delete();
    throw error;
  }
  const placed = await print(response);
  entry.delete();
  return placed;
}

/**
 * Places an order so that a kill at any moment never causes a second one: the order is written to the journal before it
 * is sent, and the same command finishes what an earlier run started. Resolves once the order is printed.
 */
export async function sendOrder(context: CommandContext, placement: OrderPlacement): Promise<PlacedOrder> {
  const { service, request, another } = placement;
  const { baseUrl, apiKey } = service.connection;
  const identity = { base_url: baseUrl, api_key_hash: hashApiKey(apiKey), request };
  const journal = openJournal(context.io);
  // With --another, the user knows about the unfinished ones.
  if (another) return sendNew(journal.replace(identity), placement);
  for (;;) {
    const [oldest] = journal.unfinished(identity);
    if (!oldest) return sendNew(journal.add(identity), placement);
    const choice = await finishOrReplace(context, placement, oldest.order, identity.api_key_hash);
    if (choice === 'replace') return sendNew(journal.replace(identity), placement);
    const entry = oldest.claim();
    // Undefined if another process claimed it first; then look again.
    if (entry) return finishOrder(entry, placement);
  }
}
