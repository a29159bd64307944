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
  /** Sent as JSON. */
  body: unknown;
  /** Called when the response is sent, or deliberately lost. */
  onSent?: () => void;
}

export interface Operation {
  /** The name in faults and books; a function if the body decides. */
  name: string | ((request: SimulatedRequest) => string);
  method: 'GET' | 'POST';
  /** Below the provider's base path, with parameters as `:order_id`. */
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
  /** A number to pay to, or the text of a QR code. */
  code: string | null;
  qrString: string | null;
  returnUrl: string | null;
}

/** A control route's action on a provider: checks its input, and returns the route's result. */
export type Action = (input: unknown) => unknown;

export interface Simulator {
  basePath: string;
  /** Well-known values, by the names of our settings. */
  credentials: Readonly<Record<string, string>>;
  operations: readonly Operation[];
  /** By name: `POST /control/{provider}/{name}`. */
  actions: Readonly<Record<string, Action>>;
  books(): Record<string, unknown>;
  /** Removes a key from a request's body before it is shown: it may be a real one, sent by mistake. */
  redact?(body: string): string;
  /** The payments of a gateway; a supplier has none. */
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
  /** The address for callbacks, unless a request contains one; none are sent if undefined. */
  callbackUrl: string | undefined;
  fault(name: FaultName, operation?: string): boolean;
  /** The address of the simulators, without a slash at the end. */
  url(): string;
}

/** A control request that failed; the message has the reason. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: 400 | 403 | 404 | 409;

  constructor(status: 400 | 403 | 404 | 409, message: string) {
    super(message);
    this.status = status;
  }
}

/** Describes the errors of an input; zod/mini has no messages of its own. */
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

/** A whole number, or its text in a form. */
export const wholeNumber = z.union([
  z.int().check(z.nonnegative()),
  z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number)),
]);

/** True, or its text in a form. */
export const yes = z.union([
  z.boolean(),
  z.pipe(
    z.enum(['true', 'false']),
    z.transform((text) => text === 'true'),
  ),
]);

/** A JSON object; undefined for another body. */
export function jsonObject(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Unix seconds. */
export const seconds = (ms: number): number => Math.floor(ms / 1000);

/** Creates numbers that also differ after a restart: the time and a count. */
export function createSequence(world: SimulatorWorld): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${world.now()}${String(count).padStart(4, '0')}`;
  };
}

/** Operations that handle only requests with `isAllowed`; others get `denied`. */
export const guarded = (
  operations: readonly Operation[],
  isAllowed: (request: SimulatedRequest) => boolean,
  denied: SimulatedResponse,
): Operation[] =>
  operations.map((operation) => ({
    ...operation,
    handle: (request) => (isAllowed(request) ? operation.handle(request) : denied),
  }));

/** Pays the amount due, or another one. `late` pays an expired payment, or a paid one again. */
export const payInput = z.object({
  reference: z.string(),
  amount: z.optional(wholeNumber),
  late: z._default(yes, false),
});

/** The error for a control request in the wrong state. */
export const wrongState = (reference: string, state: string, needed: string): ControlError =>
  new ControlError(409, `${reference} is ${state}; ${needed}.`);

export const balanceInput = z.strictObject({ balance: z.int().check(z.nonnegative()) });

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
