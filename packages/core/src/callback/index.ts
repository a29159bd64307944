import * as z from 'zod/mini';

/** A request of a provider as it arrived. Nothing of it is to be trusted before it is verified. */
export interface CallbackRequest {
  /** Values by lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** The bytes that were sent: a signature is verified on them, and not on what they mean. */
  body: Uint8Array;
}

/** What an adapter makes of a callback. */
export type CallbackReading<Content> =
  | { state: 'news'; news: Content }
  /** Nothing is to be done: a test of the address, for example. Its body is not stored, because it may have secrets. */
  | { state: 'ignored'; reason: string }
  /** Not genuine (401), or not readable (400). `reason` never repeats what was sent. */
  | { state: 'rejected'; status: 400 | 401; reason: string };

/** What came of a callback. */
export const callbackOutcomes = [
  /** It changed something. */
  'applied',
  /** It says what was known before. */
  'unchanged',
  /** It contradicts what was known before; nothing was changed, and an operator is told. */
  'contradiction',
  /** Its money, or its refund, fits no order, or not as it is: it waits for an operator. */
  'reconciliation',
  /** It is about nothing that this store knows. */
  'unmatched',
  'ignored',
  'rejected',
  /** It could not be handled now; the provider is to send it again. */
  'failed',
] as const;
export type CallbackOutcome = (typeof callbackOutcomes)[number];

export interface CallbackResponse {
  status: number;
  /** Sent as JSON. */
  body: unknown;
}

/** How an adapter receives the callbacks of its provider. */
export interface CallbackReceiver<Content> {
  /** Secrets that a callback may have in its headers or its body, such as a constant token. They are never stored. */
  secrets?: readonly string[];
  /** Verifies a callback, in constant time, and reads it. */
  read(request: CallbackRequest): CallbackReading<Content>;
  /** The response that the provider expects; `status` is that of a rejection. */
  respond(outcome: CallbackOutcome, status?: 400 | 401): CallbackResponse;
}

const reason = z.string();

const reading = z.discriminatedUnion('state', [
  z.object({ state: z.literal('news'), news: z.unknown() }),
  z.object({ state: z.literal('ignored'), reason }),
  z.object({ state: z.literal('rejected'), status: z.literal([400, 401]), reason }),
]);

/** The error for what an adapter returned: it names the field but not its value, which may be secret. */
export function invalidResult({ issues }: z.core.$ZodError, call: string, type = 'its type'): TypeError {
  const place = ['result', ...(issues[0]?.path ?? [])].join('.');
  return new TypeError(`The ${call} returned an invalid ${place}: see ${type} in @topup-kit/server.`);
}

/**
 * Checks what an adapter returned, because no type checks it when the program runs.
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

/** Like {@link parseResult}, for the `read` of a {@link CallbackReceiver}. */
export const parseCallbackReading = (value: unknown): CallbackReading<unknown> =>
  parseResult(reading, value, "adapter's callbacks.read", 'CallbackReading');
