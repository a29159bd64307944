import { ownPaths } from '@topup-kit/core/app';
import { callScenarios, headers, sandboxScenarios } from '@topup-kit/core/contract';
import {
  controls,
  type SandboxRoute,
  sandboxActionRoutes,
  sandboxWorldRoutes,
} from '@topup-kit/core/features/sandbox';
import { type Content, entryList, prose } from '../../pages/api-page-parts.ts';
import type { ControlRoute } from '../../pages/api-page-request.ts';
import { html } from '../../pages/html.ts';

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const effectList = (effects: (readonly [name: string, effect: string])[]): Content =>
  entryList(effects.map(([name, effect]) => ({ name, description: prose(effect) })));

const parameter = (name: string, example: string) => ({ name, in: 'path', required: true, example });

const act: ControlRoute = {
  id: 'sandbox-act',
  title: 'Pay, deliver or fail an order',
  method: 'POST',
  path: '/sandbox/orders/{order_id}/{action}',
  parameters: [parameter('order_id', 'INV-20260328100000-DVHHEMKC'), parameter('action', 'pay')],
  body: {},
  description: "An action that the order's state does not allow gets a 409 `STATE_CONFLICT`.",
  more: effectList(sandboxActionRoutes.map(({ path, effect }) => [lastPart(path), effect])),
};

const callScenarioNames = Object.keys(callScenarios).map((name) => `\`${name}\``);

const scenarios: Content = [
  html`<p>${prose(
    `For one request, the header \`${headers.scenario}\` simulates ${callScenarioNames.join(', ')}. Separate several names with commas.`,
  )}</p>`,
  effectList(Object.entries(sandboxScenarios)),
];

const titles: ReadonlyMap<string, string> = new Map([
  ['advance', 'Move the clock'],
  ['scenario', 'Simulate a fault'],
  ['reset', 'Start again'],
  ['requests', 'Show the last requests'],
  ['sandbox', 'Show the state'],
]);

const worldRoute = ({ method, path, effect, example }: SandboxRoute): ControlRoute => {
  const name = lastPart(path);
  return {
    id: `sandbox-${name}`,
    title: titles.get(name) ?? name,
    method,
    path,
    parameters: [],
    ...(method === 'POST' && { body: example ?? {} }),
    description: `${effect.charAt(0).toUpperCase()}${effect.slice(1)}.`,
    ...(name === 'scenario' && { more: scenarios }),
  };
};

const describedPaths = new Map(
  Object.entries(controls).map(([name, control]) => [`${ownPaths.sandbox}/${name}`, control]),
);

/** Renders one card for several controls, because a one-line explanation is enough for each. */
const describedCard = (
  id: string,
  title: string,
  shown: string,
  isOfCard: (path: string) => boolean,
): ControlRoute => ({
  id,
  title,
  method: 'POST',
  path: `${ownPaths.sandbox}/{control}`,
  parameters: [parameter('control', shown)],
  body: controls[shown]?.example ?? {},
  description: 'An unknown parameter gets a 422 `VALIDATION_ERROR`.',
  more: effectList(
    [...describedPaths]
      .filter(([path]) => isOfCard(path))
      .map(([path, { method, effect }]) => [`${method} ${path}`, effect.en]),
  ),
});

const isOfWebhooks = (path: string): boolean => path.includes('webhook');

/** Control routes of a sandbox. They are not part of the API, and direct requests need no key. */
export const controlRoutes: readonly ControlRoute[] = [
  act,
  describedCard('sandbox-faults', 'Faults, states and snapshots', 'add-fault', (path) => !isOfWebhooks(path)),
  describedCard('sandbox-webhooks', 'Webhooks of a sandbox', 'fault-webhook', isOfWebhooks),
  ...sandboxWorldRoutes.filter(({ path }) => !describedPaths.has(path)).map(worldRoute),
];
