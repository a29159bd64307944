import { type CodeTarget, curlCommand, sdkCall } from '@topup-kit/core/app';
import type { Operation } from '@topup-kit/core/contract';
import { html } from 'hono/html';
import { type Markup, snippet } from './html.ts';

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
    text: sdkCall(operation, subject ?? {}),
  })}</div>
</div>`;
}
