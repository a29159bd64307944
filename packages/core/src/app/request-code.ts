import { headers, type Operation, sandboxKey } from '../contract/index.ts';

/** The server and the key that the code uses. */
export interface CodeTarget {
  /** The base URL of the interface. */
  baseUrl: string;
  mode: 'live' | 'sandbox';
}

/** A request to show as a curl command. */
interface ShownRequest {
  method: string;
  url: string;
  /** A JSON value, or a string that is sent unchanged. */
  body?: unknown;
  /** Headers except the key and the body's type. */
  headers?: Readonly<Record<string, string>>;
}

/** Quotes text for a POSIX shell: `'it'"'"'s'`. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;

const keyHeader = (mode: CodeTarget['mode']): string =>
  mode === 'sandbox' ? `'${headers.apiKey}: ${sandboxKey}'` : `"${headers.apiKey}: $TOPUP_API_KEY"`;

/** Returns the option for a body. With `-d @name`, curl would read a file. */
const dataOption = (body: unknown): string =>
  typeof body === 'string' ? `--data-raw ${quoted(body)}` : `-d ${quoted(JSON.stringify(body, null, 2))}`;

/** Returns a request as a curl command; without a key if `key` is `null`. */
export function curlCommand(
  { method, url, body, headers: more = {} }: ShownRequest,
  mode: CodeTarget['mode'] | null,
): string {
  // By default, curl sends GET without a body, and POST with a body.
  const isUsual = method === (body === undefined ? 'GET' : 'POST');
  return [
    `curl ${isUsual ? '' : `-X ${method} `}${quoted(url)}`,
    ...(mode === null ? [] : [`-H ${keyHeader(mode)}`]),
    ...Object.entries(more).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", dataOption(body)]),
  ].join(' \\\n  ');
}

/** Writes a JSON value as TypeScript. */
export const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /"((?:[^"\\]|\\.)*)"(:?)/g,
    (written, text: string, colon: string) => {
      if (colon && /^[A-Za-z_]\w*$/.test(text)) return `${text}:`;
      return /['\\]/.test(text) ? written : `'${text}'${colon}`;
    },
  );

/** Functions that write a call of the SDK for each operation; `subject` is its path parameter, query or body. */
const calls: Record<Operation, (subject: string) => string> = {
  listGames: () => 'const { games } = await topup.games.list();',
  getGame: (slug) => `const { data } = await topup.games.get(${slug});`,
  getCheckout: (slug) => `const { game, paymentMethods } = await topup.checkout.get(${slug});`,
  createOrder: (body) => `const { orderId, data } = await topup.orders.create(${body});`,
  listOrders: (query) => `for await (const order of topup.orders.list(${query})) console.log(order);`,
  getInvoice: (orderId) => `const { order } = await topup.invoices.get(${orderId});`,
  getPaymentStatus: (orderId) => `const { data } = await topup.invoices.paymentStatus(${orderId});`,
  validatePromo: (body) => `const { data } = await topup.promos.validate(${body});`,
  listEvents: (query) => `const { data, next_cursor } = await topup.events.list(${query});`,
  checkAccount: (body) => `const { data } = await topup.accounts.check(${body});`,
};

/** Writes an operation as a call of the SDK; `subject` is its path parameter, query or body. */
export const sdkCall = (operation: Operation, subject: unknown): string => calls[operation](literal(subject));

/** Writes the code that creates the SDK client `topup` of the examples. */
export const clientCode = ({
  baseUrl,
  mode,
}: CodeTarget): string => `import { createTopupClient } from '@topup-kit/sdk';

const topup = createTopupClient({
  baseUrl: '${baseUrl}',
  apiKey: ${mode === 'sandbox' ? `'${sandboxKey}'` : 'process.env.TOPUP_API_KEY'},
});`;
