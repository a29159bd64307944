import { DomainErrorWithHeaders } from '../../app/errors.ts';
import { noResponse, type PlainResponse, readJsonBody } from '../../app/http.ts';
import type { Call } from '../../app/operation.ts';
import type { CallControl } from '../../app/room.ts';
import { defaultLimits } from '../../app/settings.ts';
import {
  accountFields,
  callScenarios,
  type ErrorCode,
  eventListFields,
  exampleError,
  type FieldRule,
  headers,
  normaliseFields,
  type Operation,
  orderFields,
  orderListFields,
  promoFields,
  routes,
} from '../../contract/index.ts';
import { DomainError } from '../../engine/index.ts';
import type { Store } from '../../store/index.ts';
import {
  type Fault,
  type FaultSubject,
  type Faults,
  flakyEvery,
  IntendedError,
  type StruckFault,
  subjectOfOrder,
} from './faults.ts';

/** Duration of a response in the scenario slow, in milliseconds. */
export const slowMs = 3_000;

/** Returns the error of scenarios for a call; undefined if no scenario fails it. `failsThisTime` decides for the scenario flaky. */
export function scenarioError(
  names: readonly string[],
  failsThisTime: () => boolean,
): DomainError | undefined {
  if (names.includes('maintenance'))
    return new DomainError('UNAVAILABLE', { cause: new IntendedError('scenario maintenance') });
  if (names.includes('rate-limited'))
    return new DomainErrorWithHeaders('RATE_LIMITED', { [headers.retryAfter]: '1' });
  if (names.includes('flaky') && failsThisTime())
    return new DomainError('UNAVAILABLE', { cause: new IntendedError('scenario flaky') });
  return undefined;
}

/** The same name as at the control routes, so that a client can always send the header. */
const noScenario = 'none';

/** Reads the scenarios in a request's header, or returns the error for a scenario that is not accepted. `none` means no scenario. */
export function readScenarioHeader<Name extends string>(
  sent: string | null,
  accepted: readonly Name[],
): readonly Name[] | DomainError {
  if (sent === null) return [];
  const isAccepted = (name: string): name is Name => accepted.some((known) => known === name);
  const listed = sent.split(',').map((name) => name.trim());
  const names = listed.filter((name) => name !== noScenario);
  if (names.every(isAccepted)) return names;
  return new DomainError('VALIDATION_ERROR', {
    fields: {
      [headers.scenario]: [{ rule: 'headerOneOf', params: { values: [noScenario, ...accepted].join(', ') } }],
    },
  });
}

// Safe: these are the keys of a constant table.
const acceptedNames = Object.keys(callScenarios) as (keyof typeof callScenarios)[];

/** The fields of a request to each operation that has fields. */
const requestFields: Partial<Record<Operation, readonly FieldRule[]>> = {
  createOrder: orderFields,
  listOrders: orderListFields,
  validatePromo: promoFields,
  checkAccount: accountFields,
  listEvents: eventListFields,
};

/** An error with example values for its message; `why` names the cause of the error. */
export const intendedError = (operation: Operation, code: ErrorCode, why: string): DomainError =>
  new DomainError(code, {
    ...exampleError(code, {
      scope: routes[operation].scope,
      fields: requestFields[operation] ?? [],
      limits: defaultLimits,
    }),
    cause: new IntendedError(why),
  });

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reads the data for filters from a body, which may be invalid. */
function subjectOfBody(operation: Operation, body: Record<string, unknown>): FaultSubject {
  const fields = normaliseFields(requestFields[operation] ?? [], body);
  const { payment_method_id: method } = fields;
  return {
    account: textIn(fields.id),
    phone: textIn(fields.whatsapp),
    game: textIn(fields.game) ?? textIn(fields.game_slug),
    method: typeof method === 'number' ? method : undefined,
  };
}

/** Reads the data of a call that the filters of faults need. */
async function readSubject(
  operation: Operation,
  { request, parameters: { slug, order_id: orderId } }: Call,
  { findOrder, maxBodyBytes }: Pick<CallControlParts, 'findOrder' | 'maxBodyBytes'>,
): Promise<FaultSubject> {
  if (slug !== undefined) return { game: slug };
  if (orderId !== undefined) {
    const order = await findOrder(orderId);
    return order ? subjectOfOrder(order) : {};
  }
  if (request.method !== 'POST') return {};
  // The operation rejects a body that is not JSON.
  const body = await readJsonBody(request, maxBodyBytes).catch((error: unknown) => {
    if (request.read) return {};
    throw error;
  });
  return subjectOfBody(operation, body);
}

const badGateway =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n';

/** The part of a response that reaches the client, for each way in which the connection fails. */
const broken: Record<NonNullable<Fault['connection']>, (response: PlainResponse) => PlainResponse> = {
  cut: () => noResponse,
  'cut-after': () => noResponse,
  'half-body': (response) => ({ ...response, isCut: true }),
  html: () => ({ status: 502, headers: { 'Content-Type': 'text/html' }, body: badGateway }),
};

/** Waits for a time, or until the client disconnects. */
const wait = (milliseconds: number, lost: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      lost?.removeEventListener('abort', done);
      resolve();
    }
    if (lost?.aborted) done();
    else lost?.addEventListener('abort', done, { once: true });
  });

interface CallControlParts {
  faults: Faults;
  findOrder: Store['findOrder'];
  maxBodyBytes: number;
  /** The request header that names scenarios; if left out, no header does. */
  header?: string;
}

/**
 * Applies a sandbox's faults, and the scenarios in a request's header, to calls. Throws the DomainError of a fault. A slow call is handled
 * before the delay, so that a client may give up although its order exists.
 */
export function createCallControl(parts: CallControlParts): CallControl {
  const { faults, header } = parts;
  const flakyCalls = new Map<Operation, number>();

  function isFlaky(operation: Operation): boolean {
    const count = (flakyCalls.get(operation) ?? 0) + 1;
    flakyCalls.set(operation, count);
    return count % flakyEvery === 0;
  }

  async function strike(operation: Operation, call: Call): Promise<StruckFault[]> {
    if (!faults.state.isOn) return [];
    const { request } = call;
    const known = faults.readsOrders() ? await readSubject(operation, call, parts) : {};
    return faults.strike('call', { ...known, operation, header: (name) => request.header(name) });
  }

  return {
    state: faults.state,
    headers: header === undefined ? [] : [header],
    async around(operation, call, handle) {
      const { request } = call;
      const fromHeader = readScenarioHeader(header ? request.header(header) : null, acceptedNames);
      if (fromHeader instanceof DomainError) throw fromHeader;
      const struck = await strike(operation, call);
      const scenarios = struck.flatMap(({ scenario }) => scenario ?? []);
      const names = [...scenarios, ...fromHeader];
      const connection = struck.find((fault) => fault.connection !== undefined)?.connection;
      const delay = struck.reduce((sum, { delayMs }) => sum + delayMs, names.includes('slow') ? slowMs : 0);
      try {
        if (names.includes('offline') || connection === 'cut') return noResponse;
        const rejected = scenarioError(names, () => scenarios.includes('flaky') || isFlaky(operation));
        if (rejected) throw rejected;
        const wrong = struck.find(({ error }) => error !== undefined);
        if (wrong?.error) throw intendedError(operation, wrong.error, `fault ${wrong.id}`);
        const response = await handle();
        return connection === undefined ? response : broken[connection](response);
      } finally {
        if (delay > 0) await wait(delay, request.lost?.());
      }
    },
  };
}
