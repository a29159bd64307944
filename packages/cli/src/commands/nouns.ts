import type { Define } from '../define-command.ts';
import { isNewestNode } from '../newest-node.ts';

/** Section of the help: for a shop's operators, for server operators, for developers, or for everyone. */
export type NounGroup = 'shop' | 'server' | 'developers' | 'self';

interface Noun {
  name: string;
  summary: string;
  group: NounGroup;
  /** True if the command contacts a service, so that `--base-url` applies. */
  asksService: boolean;
  /** True if the command uses a store or runs a server, which needs Node 24. Verbs of other nouns check this themselves. */
  needsNewestNode: boolean;
  /** Loads the command. Called only if the command is named. */
  load(): Promise<Define>;
}

type Described = [
  summary: string,
  module: () => Promise<{ noun: Define }>,
  contacts?: 'no service' | 'store',
];

const inGroup = (group: NounGroup, described: Record<string, Described>): Noun[] =>
  Object.entries(described).map(([name, [summary, module, contacts]]) => ({
    name,
    summary,
    group,
    asksService: contacts === undefined,
    needsNewestNode: contacts === 'store',
    load: async () => (await module()).noun,
  }));

/** Defines `serve` for an older Node, which can't load the server that has the flags. */
const serveElsewhere: Define = (command) => {
  command
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', '\nWith Node 24 or later, this shows its options.')
    .action(() => {});
};

/** All nouns, in the order of the help. */
export const nouns: readonly Noun[] = [
  ...inGroup('shop', {
    orders: ['Place, show and manage orders', () => import('./orders/orders.ts')],
    payments: [
      'Settle or return payments that match no order, and find lost ones',
      () => import('./payments/payments.ts'),
      'store',
    ],
    refunds: ['Record and list refunds to customers', () => import('./payments/refunds.ts'), 'store'],
    customers: ["Show and erase a customer's data", () => import('./customers/customers.ts'), 'store'],
    promos: ['Try promo codes, and manage the promos of a store', () => import('./promos/promos.ts')],
    catalog: [
      'Prices and catalogues: sync, edit, history, import, export',
      () => import('./catalog/catalog.ts'),
      'store',
    ],
    report: [
      'Report sales and profit, and compare payments with a statement of the gateway',
      () => import('./reports/report.ts'),
      'store',
    ],
    balance: [
      'Show the balance at each supplier, and how long it lasts',
      () => import('./reports/balance.ts'),
      'store',
    ],
    activity: [
      "List operators' actions: orders, payments, prices, promos, keys, webhooks, logins, backups",
      () => import('./activity.ts'),
      'store',
    ],
    runbook: ['Explain how to solve an alert', () => import('./runbook.ts'), 'no service'],
    console: [
      'Log in to the console, the pages for operators, and end sessions there',
      () => import('./console/console.ts'),
      'store',
    ],
  }),
  ...inGroup('server', {
    serve: [
      'Run the reference server',
      async () => (isNewestNode() ? import('./serve.ts') : { noun: serveElsewhere }),
      'store',
    ],
    keys: ['Create, list, rotate and revoke the API keys of a store', () => import('./keys.ts'), 'store'],
    callbacks: [
      'Show the callbacks of gateways and suppliers, and handle them again',
      () => import('./callbacks/callbacks.ts'),
      'store',
    ],
    webhooks: [
      'Send events to other systems, and see what arrived',
      () => import('./webhooks/webhooks.ts'),
      'store',
    ],
    backup: [
      'Make a verified backup of a store, even while a server runs',
      () => import('./database/backup.ts'),
      'store',
    ],
    restore: [
      'Replace a store with a backup; the old store is kept next to it',
      () => import('./database/restore.ts'),
      'store',
    ],
    db: [
      'Show the state of a store, upgrade it, and move it to PostgreSQL or back',
      () => import('./database/status.ts'),
      'store',
    ],
    doctor: ['Find problems, and how to fix them', () => import('./doctor/doctor.ts')],
  }),
  ...inGroup('developers', {
    games: ['Show games, their products and payment methods', () => import('./games.ts')],
    checkout: ['Show what an order of a game needs, and how it can be paid', () => import('./checkout.ts')],
    invoices: ['Show orders as their customers see them', () => import('./invoices.ts')],
    sandbox: ['Control a sandbox: pay, deliver, move its clock', () => import('./sandbox/sandbox.ts')],
    trigger: ['Make an event happen in a sandbox', () => import('./sandbox/trigger.ts')],
    listen: [
      'Print new events, and forward them to a program that you develop',
      () => import('./listen/listen.ts'),
    ],
    simulate: [
      'Simulate payment gateways and suppliers over HTTP, with faults',
      () => import('./simulate.ts'),
      'store',
    ],
    conformance: [
      'Check a service against the interface, and show its behaviour at open points',
      () => import('./conformance/conformance.ts'),
    ],
    mcp: [
      'Serve the tools of a sandbox to an assistant that writes an integration',
      () => import('./mcp/mcp.ts'),
    ],
    open: ['Open the documentation or a payment page in the browser', () => import('./open.ts')],
  }),
  ...inGroup('self', {
    guide: [
      'Start a sandbox and place a first order, step by step',
      () => import('./sandbox/guide.ts'),
      'no service',
    ],
    login: ["Save a service's base URL and key in a profile", () => import('./login.ts')],
    logout: [
      'Remove the key of a profile',
      async () => ({ noun: (await import('./login.ts')).logoutCommand }),
      'no service',
    ],
    config: ['Show the effective settings, and change a profile', () => import('./config/config.ts')],
    version: ['Print the version', () => import('./version.ts'), 'no service'],
    completion: [
      'Let the shell complete commands, games, orders and more',
      () => import('./completion.ts'),
      'no service',
    ],
  }),
];
