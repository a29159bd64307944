import * as z from 'zod/mini';
import type { CallbackSender } from './callbacks.ts';
import type { FaultName } from './faults.ts';
import type { SimulatorWorld } from './world.ts';

/** A request to a simulated provider. */
export interface SimulatedRequest {
  headers: Headers;
  query: URLSearchParams;
  /** The parameters in the operation's path, such as `order_id`. */
  params: Record<string, string>;
  body: string;
}

export interface SimulatedResponse {
  status: number;
  /** Body of the response, sent as JSON. */
  body: unknown;
  /** Called when the response was sent, or lost on purpose. */
  onSent?: () => void;
}

export interface Operation {
  /** The name in faults and books; a function if it depends on the body. */
  name: string | ((request: SimulatedRequest) => string);
  method: 'GET' | 'POST';
  /** The path below the provider's base path, with parameters such as `:order_id`. */
  path: string;
  handle(request: SimulatedRequest): SimulatedResponse | Promise<SimulatedResponse>;
}

/** A payment in the form that the page shows. */
export interface PagePayment {
  reference: string;
  merchantRef: string;
  method: string;
  amount: number;
  status: string;
  /** The number to pay to, or the text of a QR code. */
  code: string | null;
  qrString: string | null;
  returnUrl: string | null;
}

/** An action of a control route on a provider. It checks its input, and returns the result of the route. */
export type Action = (input: unknown) => unknown;

export interface Simulator {
  basePath: string;
  /** The published credentials, by the names of our settings. */
  credentials: Readonly<Record<string, string>>;
  operations: readonly Operation[];
  /** Actions by name, for `POST /control/{provider}/{name}`. */
  actions: Readonly<Record<string, Action>>;
  books(): Record<string, unknown>;
  /** Removes a key from a request's body before the body is shown, because it may be a real key that was sent by mistake. */
  redact?(body: string): string;
  /** Returns the payments of a gateway; empty for a supplier. */
  payments(): readonly PagePayment[];
}

/** A simulator with its name, for the control routes and the page. */
export interface NamedSimulator extends Simulator {
  name: string;
  title: string;
}

export interface SimulatorContext {
  world: SimulatorWorld;
  callbacks: CallbackSender;
  /** The address for callbacks, used unless a request contains an address. If undefined, no callbacks are sent to it. */
  callbackUrl: string | undefined;
  fault(name: FaultName, operation?: string): boolean;
  /** Returns the address of the simulators, without a trailing slash. */
  url(): string;
}

/** The error of a failed control request. The message has the reason. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: 400 | 403 | 404 | 409;

  constructor(status: 400 | 403 | 404 | 409, message: string) {
    super(message);
    this.status = status;
  }
}

/** Describes the errors of an input, because zod/mini has no messages of its own. */
export function explain(error: z.core.$ZodError): string {
  const words = error.issues.map((issue) => {
    const field = issue.path.length === 0 ? 'The body' : issue.path.join('.');
    if (issue.code === 'invalid_value') return `${field} must be one of ${issue.values.join(', ')}`;
    if (issue.code === 'invalid_type') return `${field} must be of type ${issue.expected}`;
    if (issue.code === 'unrecognized_keys') return `${field} has unknown fields: ${issue.keys.join(', ')}`;
    return `${field} is missing or not valid`;
  });
  return `${words.join('; ')}.`;
}

export function parseInput<Input>(schema: z.ZodMiniType<Input>, input: unknown): Input {
  const { success, data, error } = schema.safeParse(input);
  if (!success) throw new ControlError(400, explain(error));
  return data;
}

export const action =
  <Input>(schema: z.ZodMiniType<Input>, run: (input: Input) => unknown): Action =>
  (input) =>
    run(parseInput(schema, input));

/** A whole number, or a form's text for it. */
export const wholeNumber = z.union([
  z.int().check(z.nonnegative()),
  z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number)),
]);

/** True, or a form's text for it. */
export const yes = z.union([
  z.boolean(),
  z.pipe(
    z.enum(['true', 'false']),
    z.transform((text) => text === 'true'),
  ),
]);

/** Parses a JSON object; undefined for any other body. */
export function jsonObject(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Converts unix milliseconds to unix seconds. */
export const seconds = (ms: number): number => Math.floor(ms / 1000);

/** Creates a function that returns unique numbers from the time and a count, so that they are unique even after a restart. */
export function createSequence(world: SimulatorWorld): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${world.now()}${String(count).padStart(4, '0')}`;
  };
}

/** Guards operations: requests that fail `isAllowed` get the response `denied`. */
export const guarded = (
  operations: readonly Operation[],
  isAllowed: (request: SimulatedRequest) => boolean,
  denied: SimulatedResponse,
): Operation[] =>
  operations.map((operation) => ({
    ...operation,
    handle: (request) => (isAllowed(request) ? operation.handle(request) : denied),
  }));

/** Input for a payment of the amount due, or of another amount. `late` pays an expired payment, or pays again. */
export const payInput = z.object({
  reference: z.string(),
  amount: z.optional(wholeNumber),
  late: z._default(yes, false),
});

/** Creates the error for a control request in the wrong state. */
export const wrongState = (reference: string, state: string, needed: string): ControlError =>
  new ControlError(409, `${reference} is ${state}; ${needed}.`);

export const balanceInput = z.strictObject({ balance: z.int().check(z.nonnegative()) });

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
