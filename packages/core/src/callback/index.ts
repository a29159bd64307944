import * as z from 'zod/mini';

/** A provider's request as it arrived. Trust no part of it before it is verified. */
export interface CallbackRequest {
  /** Header values by lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** The bytes as sent, because the signature covers them. */
  body: Uint8Array;
}

/** A callback as parsed by an adapter. */
export type ParsedCallback<Content> =
  | { state: 'event'; event: Content }
  /** The callback needs no action, such as a test of the address. The body is not stored, because it may contain secrets. */
  | { state: 'ignored'; reason: string }
  /** The callback is not genuine (401), or unreadable (400). `reason` never repeats the request's content. */
  | { state: 'rejected'; status: 400 | 401; reason: string };

/** Possible outcomes of a callback. */
export const callbackOutcomes = [
  /** It changed something. */
  'applied',
  /** It repeats a known state. */
  'unchanged',
  /** It contradicts a known state. Nothing changes, and an alert asks an operator to look. */
  'contradiction',
  /** Its payment or refund doesn't match an order. An operator must reconcile it. */
  'reconciliation',
  /** It names nothing in this store. */
  'unmatched',
  'ignored',
  'rejected',
  /** It could not be handled now. The provider should send it again. */
  'failed',
] as const;
export type CallbackOutcome = (typeof callbackOutcomes)[number];

export interface CallbackResponse {
  status: number;
  /** Sent as JSON. */
  body: unknown;
}

/** Receives the callbacks of a provider. */
export interface CallbackReceiver<Content> {
  /** Secrets that the headers or the body of a callback may contain, such as a constant token. They are never stored. */
  secrets?: readonly string[];
  /** Verifies a callback in constant time, and parses it. */
  read(request: CallbackRequest): ParsedCallback<Content>;
  /** Builds the response that the provider expects; `status` is for a rejection. */
  respond(outcome: CallbackOutcome, status?: 400 | 401): CallbackResponse;
}

const reason = z.string();

const reading = z.discriminatedUnion('state', [
  z.object({ state: z.literal('event'), event: z.unknown() }),
  z.object({ state: z.literal('ignored'), reason }),
  z.object({ state: z.literal('rejected'), status: z.literal([400, 401]), reason }),
]);

/** Creates the error for an invalid result of an adapter. It names the field but not the value, which may be secret. */
export function invalidResult({ issues }: z.core.$ZodError, call: string, type = 'its type'): TypeError {
  const place = ['result', ...(issues[0]?.path ?? [])].join('.');
  return new TypeError(`The ${call} returned an invalid ${place}: see ${type} in @topup-kit/server.`);
}

/**
 * Checks a result of an adapter at runtime, which types can't do.
 *
 * @param call such as `gateway's checkPayment`
 * @throws TypeError that names the invalid field.
 */
export function parseResult<Result>(
  schema: z.ZodMiniType<Result>,
  value: unknown,
  call: string,
  type?: string,
): Result {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidResult(parsed.error, call, type);
}

/** Checks the result of a {@link CallbackReceiver}'s `read`, like {@link parseResult}. */
export const parseCallbackReading = (value: unknown): ParsedCallback<unknown> =>
  parseResult(reading, value, "adapter's callbacks.read", 'ParsedCallback');
