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

/** A request of the journal as code that sends it again. Null: it can't be. */
export interface RequestCode {
  curl: string | null;
  /** A call of the client that {@link clientCode} creates; null for what the SDK does not send. */
  sdk: string | null;
  /** A test for Vitest that sends it to a mock, and expects the same status and error code. */
  mockTest: string | null;
}

const noCode: RequestCode = { curl: null, sdk: null, mockTest: null };

/** The headers that change what a request does. */
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

/** The body as a JSON value, or as the text that was sent; undefined without one. */
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

/** What an operation's path names; undefined when it names nothing. */
function parameterOf(operation: Operation, target: string): string | undefined {
  const pattern = new RegExp(`${routes[operation].path.replace(/\{\w+\}/, '([^/]+)')}$`);
  const [, parameter] = pattern.exec(pathOf(target)) ?? [];
  try {
    return parameter && decodeURIComponent(parameter);
  } catch {
    // The path is malformed, as `%ff` is.
    return undefined;
  }
}

const queryFields: Partial<Record<Operation, readonly FieldRule[]>> = {
  listOrders: orderListFields,
  listEvents: eventListFields,
};

/** The query with numbers where the SDK takes numbers. */
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

/** The fault that makes a mock respond in the same way; a third call fails only where two were before. */
function faultOfMock({ scenario, status }: JournalEntry): string | null {
  if (scenario === 'flaky') return status === 503 ? 'maintenance' : null;
  return scenario === 'none' ? null : scenario;
}

/** The state of the order in a response. */
function stateIn({ response }: JournalEntry): string {
  const [, payment = 'UNPAID'] = /"payment_status":"(\w+)"/.exec(response.body) ?? [];
  const [, delivery = 'Pending'] = /"buy_status":"(\w+)"/.exec(response.body) ?? [];
  return `${payment} / ${delivery}`;
}

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

/** What has to be in the mock before the request. */
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

/** The options of the `fetch` that repeats a request. */
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

/** A key that was rejected is none of the sandbox: the shell has it. */
function keyFor(entry: JournalEntry, mode: CodeTarget['mode']): CodeTarget['mode'] | null {
  if (sentHeader(entry, headers.apiKey) === undefined) return null;
  return entry.error_code === 'UNAUTHORIZED' ? 'live' : mode;
}

/**
 * A request of the journal as a curl command, as a call of the SDK and as a test with the mock. What a response owed to
 * earlier requests, such as a promo that was used up, they don't repeat.
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
