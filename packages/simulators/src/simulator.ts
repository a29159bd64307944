import * as z from 'zod/mini';
import type { CallbackSender } from './callbacks.ts';
import type { FaultName } from './faults.ts';
import type { SimulatorWorld } from './world.ts';

/** A request to a simulated provider. */
export interface SimulatedRequest {
  headers: Headers;
  query: URLSearchParams;
  /** The parts of the path that the operation names, such as `order_id`. */
  params: Record<string, string>;
  body: string;
}

export interface SimulatedResponse {
  status: number;
  /** Sent as JSON. */
  body: unknown;
  /** Called when the response is sent, or lost on purpose. */
  onSent?: () => void;
}

export interface Operation {
  /** What faults and books call it; a function where the body decides. */
  name: string | ((request: SimulatedRequest) => string);
  method: 'GET' | 'POST';
  /** Below the provider's base path, with parameters as `:order_id`. */
  path: string;
  handle(request: SimulatedRequest): SimulatedResponse | Promise<SimulatedResponse>;
}

/** A payment as the page shows it. */
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

/** What the control routes do with a provider: checks its input, and returns what the route shows. */
export type Action = (input: unknown) => unknown;

export interface Simulator {
  basePath: string;
  /** The well-known values under the names of our own settings. */
  credentials: Readonly<Record<string, string>>;
  operations: readonly Operation[];
  /** By name: `POST /control/{provider}/{name}`. */
  actions: Readonly<Record<string, Action>>;
  /** What was charged or bought. */
  books(): Record<string, unknown>;
  /** Removes a key from the body of a request before it is shown: it may be a real one, sent here by mistake. */
  redact?(body: string): string;
  /** The payments of a gateway; a supplier has none. */
  payments(): readonly PagePayment[];
}

/** A simulator as the control routes and the page show it. */
export interface NamedSimulator extends Simulator {
  name: string;
  title: string;
}

export interface SimulatorContext {
  world: SimulatorWorld;
  callbacks: CallbackSender;
  /** Where callbacks go unless a request names an address; undefined sends none. */
  callbackUrl: string | undefined;
  fault(name: FaultName, operation?: string): boolean;
  /** The address of the simulators, without a slash at the end. */
  url(): string;
}

/** A control request that can't be carried out; the message says why. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: 400 | 403 | 404 | 409;

  constructor(status: 400 | 403 | 404 | 409, message: string) {
    super(message);
    this.status = status;
  }
}

/** Says what is wrong with an input; zod/mini has no messages of its own. */
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

/** A whole number, also as the text of a form. */
export const wholeNumber = z.union([
  z.int().check(z.nonnegative()),
  z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number)),
]);

/** True, also as the text of a form. */
export const yes = z.union([
  z.boolean(),
  z.pipe(
    z.enum(['true', 'false']),
    z.transform((text) => text === 'true'),
  ),
]);

/** A JSON object; undefined when the body is none. */
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

/** Creates numbers that differ after a restart too: the time and a count. */
export function createSequence(world: SimulatorWorld): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${world.now()}${String(count).padStart(4, '0')}`;
  };
}

/** Operations that handle only the requests that `isAllowed`; the others get `denied`. */
export const guarded = (
  operations: readonly Operation[],
  isAllowed: (request: SimulatedRequest) => boolean,
  denied: SimulatedResponse,
): Operation[] =>
  operations.map((operation) => ({
    ...operation,
    handle: (request) => (isAllowed(request) ? operation.handle(request) : denied),
  }));

/** Pays the amount that is owed, or another. `late` pays what has expired, or what was paid before. */
export const payInput = z.object({
  reference: z.string(),
  amount: z.optional(wholeNumber),
  late: z._default(yes, false),
});

/** A control request for what is not in the state that it needs. */
export const wrongState = (reference: string, state: string, needed: string): ControlError =>
  new ControlError(409, `${reference} is ${state}; ${needed}.`);

export const balanceInput = z.strictObject({ balance: z.int().check(z.nonnegative()) });

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
