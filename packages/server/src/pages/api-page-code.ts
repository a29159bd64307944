import { headers, type Operation } from '@topup-kit/core/contract';
import { sandboxKey } from '@topup-kit/core/engine';
import { html } from 'hono/html';
import { type Markup, snippet } from './html.ts';

/** The server and the key that the code is for. */
export interface CodeTarget {
  /** The base URL of the interface. */
  baseUrl: string;
  mode: 'live' | 'sandbox';
}

/** A request as code shows it. */
interface ShownRequest {
  method: string;
  url: string;
  body?: unknown;
}

const keyHeader = (mode: CodeTarget['mode']): string =>
  mode === 'sandbox' ? `'${headers.apiKey}: ${sandboxKey}'` : `"${headers.apiKey}: $TOPUP_API_KEY"`;

/** `'it'"'"'s'`: text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;

/** A request as a curl command. curl sends a POST by itself when there is a body. */
export function curlCommand({ method, url, body }: ShownRequest, mode: CodeTarget['mode']): string {
  return [
    `curl ${method === 'GET' || body !== undefined ? '' : `-X ${method} `}${quoted(url)}`,
    `-H ${keyHeader(mode)}`,
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** A JSON value as TypeScript. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/"(\w+)":/g, '$1:')
    .replace(/"([^"'\\]*)"/g, "'$1'");

/** The call of each operation in the SDK; `subject` is the path parameter or the body. */
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

/** Code that creates the client which the SDK's examples call `topup`. */
export const clientCode = ({
  baseUrl,
  mode,
}: CodeTarget): string => `import { createTopupClient } from '@topup-kit/sdk';

const topup = createTopupClient({
  baseUrl: '${baseUrl}',
  apiKey: ${mode === 'sandbox' ? `'${sandboxKey}'` : 'process.env.TOPUP_API_KEY'},
});`;

/** A request of an operation, whose path has parameters. */
interface OperationExample {
  operation: Operation;
  method: string;
  path: string;
  query: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** An operation as a curl command and, beside it, as a call of the SDK. */
export function codeSamples(
  { operation, path, query, ...request }: OperationExample,
  parameters: Readonly<Record<string, string>>,
  { baseUrl, mode }: CodeTarget,
): Markup {
  const inQuery = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  const url = `${baseUrl}${path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '')}${inQuery.length > 0 ? `?${inQuery.join('&')}` : ''}`;
  const subject = request.body ?? (inQuery.length > 0 ? query : Object.values(parameters)[0]);
  return html`<div class="samples">
<div>${snippet({
    id: `${operation}-curl`,
    heading: html`<h4>curl</h4>`,
    name: 'the command',
    text: curlCommand({ ...request, url }, mode),
  })}</div>
<div>${snippet({
    id: `${operation}-sdk`,
    heading: html`<h4>SDK</h4>`,
    name: 'the call of the SDK',
    text: calls[operation](literal(subject ?? '')),
  })}</div>
</div>`;
}
