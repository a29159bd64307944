import { curlCommand, type SandboxRoute, sandboxActionRoutes, sandboxWorldRoutes } from '@topup-kit/core/app';
import { headers } from '@topup-kit/core/contract';
import { callScenarios, sandboxScenarios } from '@topup-kit/core/engine';
import { html } from 'hono/html';
import { prose } from './api-page-schema.ts';
import { tryForm } from './api-page-script.ts';
import { type Markup, snippet } from './html.ts';

/** A route, or several that differ in their last part. */
interface Section {
  id: string;
  title: string;
  route: Pick<SandboxRoute, 'method' | 'path' | 'example'>;
  /** What the path names, with a value to try. */
  parameters: { name: string; example: string }[];
  text: Markup;
}

const orderId = { name: 'order_id', example: 'INV-20260328100000-DVHHEMKC' };

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const actionList = html`<dl>${sandboxActionRoutes.map(
  ({ path, effect }) =>
    html`<div><dt><code class="name">${lastPart(path)}</code></dt><dd>${prose(effect)}</dd></div>`,
)}</dl>`;

const scenarioList = html`<p>For one request, the header <code>${headers.scenario}</code> does the same with ${prose(
  `${Object.keys(callScenarios)
    .map((name) => `\`${name}\``)
    .join(', ')}; several are separated by commas.`,
)}</p><dl>${Object.entries(sandboxScenarios).map(
  ([name, effect]) => html`<div><dt><code class="name">${name}</code></dt><dd>${prose(effect)}</dd></div>`,
)}</dl>`;

const sections: Section[] = [
  {
    id: 'sandbox-act',
    title: 'Pay, deliver or fail an order',
    route: { method: 'POST', path: '/sandbox/orders/{order_id}/{action}' },
    parameters: [orderId, { name: 'action', example: 'pay' }],
    text: html`<p>An action that the order's state does not allow gets a 409 <code>STATE_CONFLICT</code>.</p>${actionList}`,
  },
  ...sandboxWorldRoutes.map((route): Section => {
    const name = lastPart(route.path);
    const about = name === 'scenario' ? scenarioList : '';
    const title = {
      advance: 'Move the clock',
      scenario: 'Simulate a fault',
      reset: 'Start again',
      requests: 'Show the last requests',
    }[name];
    return {
      id: `sandbox-${name}`,
      title: title ?? 'Show the state',
      route,
      parameters: [],
      text: html`<p>${prose(`${route.effect.charAt(0).toUpperCase()}${route.effect.slice(1)}.`)}</p>${about}`,
    };
  }),
];

/** The entries of the contents. */
export const sandboxContents = sections.map(({ id, title, route }) => ({
  id,
  title,
  address: `${route.method} ${route.path}`,
}));

/** The control routes of a sandbox, which are beside the interface and need no key in requests of the own machine. */
export const sandboxSections = (publicUrl: string): Markup[] =>
  sections.map(({ id, title, route: { method, path, example }, parameters, text }) => {
    const url =
      publicUrl +
      parameters.reduce((filled, { name, example }) => filled.replace(`{${name}}`, example), path);
    const request = { method, url, ...(method === 'POST' && { body: example ?? {} }) };
    return html`<section class="card operation" id="${id}">
<h3>${title} <span class="source">ours</span></h3>
<p class="address"><code>${method} ${path}</code></p>
${text}
${snippet({ id: `${id}-curl`, heading: html`<h4>curl</h4>`, name: 'the command', text: curlCommand(request, 'sandbox') })}
${tryForm({
  id,
  method,
  path,
  base: '',
  parameters: parameters.map(({ name, example }) => ({ name, in: 'path', required: true, example })),
  ...(method === 'POST' && { body: example ?? {} }),
})}
</section>`;
  });
