import { queryOf } from '../../app/query.ts';
import { type CodeTarget, curlCommand, literal, sdkCall } from '../../app/request-code.ts';
import { pathOf } from '../../app/router.ts';
import {
  eventListFields,
  type FieldRule,
  headers,
  type Operation,
  operations,
  orderListFields,
  routes,
} from '../../contract/index.ts';
import type { JournalEntry } from './journal-entries.ts';

/** Code that repeats a request of the journal; null for a request that can't be repeated. */
export interface RequestCode {
  curl: string | null;
  /** A call of the client that {@link clientCode} creates; null for requests that the SDK can't send. */
  sdk: string | null;
  /** A test for Vitest that sends it to a mock, and expects the same status and error code. */
  mockTest: string | null;
}

const noCode: RequestCode = { curl: null, sdk: null, mockTest: null };

/** Request headers that change the effect of a request. */
const repeatedHeaders: readonly string[] = [
  headers.acceptLanguage,
  headers.idempotencyKey,
  headers.scenario,
  headers.world,
];

const sentHeader = ({ request }: JournalEntry, name: string): string | undefined =>
  Object.entries(request.headers).find(([sent]) => sent.toLowerCase() === name.toLowerCase())?.[1];

const sentHeaders = (entry: JournalEntry): Record<string, string> =>
  Object.fromEntries(
    repeatedHeaders.flatMap((name) => {
      const value = sentHeader(entry, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Returns the body as a JSON value, or as the sent text; undefined if there is no body. */
function sentBody({ request: { body } }: JournalEntry): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

const isOperation = (name: string | null): name is Operation =>
  operations.some((operation) => operation === name);

/** Returns the path parameter of an operation; undefined if its path has none. */
function parameterOf(operation: Operation, target: string): string | undefined {
  const pattern = new RegExp(`${routes[operation].path.replace(/\{\w+\}/, '([^/]+)')}$`);
  const [, parameter] = pattern.exec(pathOf(target)) ?? [];
  try {
    return parameter && decodeURIComponent(parameter);
  } catch {
    // The path is malformed, such as `%ff`.
    return undefined;
  }
}

const queryFields: Partial<Record<Operation, readonly FieldRule[]>> = {
  listOrders: orderListFields,
  listEvents: eventListFields,
};

/** Returns the query, with numbers where the SDK expects numbers. */
function sentQuery(operation: Operation, target: string): Record<string, string | number> {
  const isNumber = (name: string): boolean =>
    queryFields[operation]?.some((field) => field.name === name && field.type === 'integer') ?? false;
  return Object.fromEntries(
    Object.entries(queryOf(target)).map(([name, value]) => [name, isNumber(name) ? Number(value) : value]),
  );
}

function sdkCode(entry: JournalEntry): string | null {
  const { operation, target } = entry;
  const body = sentBody(entry);
  if (!isOperation(operation) || typeof body === 'string') return null;
  return sdkCall(operation, body ?? parameterOf(operation, target) ?? sentQuery(operation, target));
}

/** Returns the scenario that makes a mock respond in the same way. It replaces flaky, which would fail only the third call. */
function faultOfMock({ scenario, status }: JournalEntry): string | null {
  if (scenario === 'flaky') return status === 503 ? 'maintenance' : null;
  return scenario === 'none' ? null : scenario;
}

/** Returns the state of the order in a response. */
function stateIn({ response }: JournalEntry): string {
  const [, payment = 'UNPAID'] = /"payment_status":"(\w+)"/.exec(response.body) ?? [];
  const [, delivery = 'Pending'] = /"buy_status":"(\w+)"/.exec(response.body) ?? [];
  return `${payment} / ${delivery}`;
}

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

/** Returns the code that prepares the mock for the request. */
function preparations(entry: JournalEntry, orderId: string | undefined): string[] {
  const fault = faultOfMock(entry);
  const order = indented(literal(routes.createOrder.example.body), '  ');
  return [
    ...(fault === null ? [] : [`mock.scenarios.use(${literal(fault)});`]),
    ...(orderId === undefined
      ? []
      : [`const { order_id } = await mock.orders.create(${order}, ${literal(stateIn(entry))});`]),
  ];
}

/** Returns the options of the `fetch` call that repeats a request. */
function fetchOptions(entry: JournalEntry): string {
  const body = sentBody(entry);
  const key = entry.error_code === 'UNAUTHORIZED' ? "'wrong'" : 'mock.apiKey';
  const sent = [
    ...(sentHeader(entry, headers.apiKey) === undefined ? [] : [`'${headers.apiKey}': ${key}`]),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
    ...Object.entries(sentHeaders(entry)).map(([name, value]) => `'${name}': ${literal(value)}`),
  ];
  const text = indented(literal(body ?? ''), '    ');
  return [
    `method: ${literal(entry.method)}`,
    `headers: { ${sent.join(', ')} }`,
    ...(body === undefined
      ? []
      : [typeof body === 'string' ? `body: ${text}` : `body: JSON.stringify(${text})`]),
  ].join(',\n    ');
}

function mockTest(entry: JournalEntry, basePath: string): string {
  const { operation, target, method, status, error_code: code } = entry;
  const orderId =
    isOperation(operation) &&
    status === routes[operation].success &&
    routes[operation].path.includes('{order_id}')
      ? parameterOf(operation, target)
      : undefined;
  const path = target.slice(basePath.length).replace(/[`\\$]/g, '\\$&');
  const ownPath =
    orderId === undefined ? path : path.replace(encodeURIComponent(orderId), () => `\${order_id}`);
  const url = `\`\${mock.baseUrl}${ownPath}\``;
  const request = `mock.fetch(${url}, {\n    ${fetchOptions(entry)},\n  })`;
  const outcome =
    status === null ? 'gets no response' : `responds with ${[status, code ?? []].flat().join(' ')}`;
  const checks =
    status === null
      ? [`await expect(${request}).rejects.toThrow();`]
      : [
          `const response = await ${request};`,
          `expect(response.status).toBe(${status});`,
          ...(code === null ? [] : [`expect(response.headers.get('${headers.errorCode}')).toBe('${code}');`]),
        ];
  return `import { createMockService } from '@topup-kit/mock/in-process';
import { expect, it } from 'vitest';

it(${literal(`${operation ?? method} ${outcome}`)}, async () => {
  ${['const mock = createMockService();', ...preparations(entry, orderId), ...checks].join('\n  ')}
});
`;
}

/** Returns the mode of the key to use. A rejected key is not the sandbox's, so the command takes it from a shell variable. */
function keyFor(entry: JournalEntry, mode: CodeTarget['mode']): CodeTarget['mode'] | null {
  if (sentHeader(entry, headers.apiKey) === undefined) return null;
  return entry.error_code === 'UNAUTHORIZED' ? 'live' : mode;
}

/**
 * Writes a request of the journal as a curl command, as a call of the SDK, and as a test with the mock. The code doesn't repeat earlier
 * requests that the response depends on, such as orders that used up a promo.
 */
export function requestCode(entry: JournalEntry, { baseUrl, mode }: CodeTarget): RequestCode {
  if (entry.request.body_cut) return noCode;
  const { origin, pathname } = new URL(baseUrl);
  const body = sentBody(entry);
  return {
    curl: curlCommand(
      {
        method: entry.method,
        url: origin + entry.target,
        headers: sentHeaders(entry),
        ...(body !== undefined && { body }),
      },
      keyFor(entry, mode),
    ),
    sdk: sdkCode(entry),
    mockTest: mockTest(entry, pathname.replace(/\/$/, '')),
  };
}
