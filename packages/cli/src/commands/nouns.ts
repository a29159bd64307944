import type { Define } from '../define-command.ts';
import { isNewestNode } from '../newest-node.ts';

/** The section of the help: for a shop's operators, for server operators, for developers, and for everyone. */
export type NounGroup = 'shop' | 'server' | 'developers' | 'self';

interface Noun {
  name: string;
  summary: string;
  group: NounGroup;
  /** Whether the command contacts a service, so that `--base-url` applies. */
  asksService: boolean;
  /**
   * Whether it works on a store or runs a server, which needs Node 24. Verbs of other nouns that need it say so
   * themselves.
   */
  needsNewestNode: boolean;
  /** Called only if the command is named. */
  load(): Promise<Define>;
}

type Described = [summary: string, load: Noun['load'], contacts?: 'no service' | 'store'];

const inGroup = (group: NounGroup, described: Record<string, Described>): Noun[] =>
  Object.entries(described).map(([name, [summary, load, contacts]]) => ({
    name,
    summary,
    group,
    asksService: contacts === undefined,
    needsNewestNode: contacts === 'store',
    load,
  }));

/** The flags of `serve` come from the server, which an older Node can't load. */
const serveElsewhere: Define = (command) => {
  command
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', '\nWith Node 24 or later, this shows its options.')
    .action(() => {});
};

/** In the order of the help. */
export const nouns: readonly Noun[] = [
  ...inGroup('shop', {
    orders: ['Place, show and manage orders', async () => (await import('./orders/orders.ts')).orders],
    payments: [
      'Settle or return payments that match no order, and find lost ones',
      async () => (await import('./payments/payments.ts')).payments,
      'store',
    ],
    refunds: [
      'Pay back what customers paid, and see what is still to be paid back',
      async () => (await import('./payments/refunds.ts')).refunds,
      'store',
    ],
    customers: [
      'Show and erase what the store holds of a customer',
      async () => (await import('./customers/customers.ts')).customers,
      'store',
    ],
    promos: [
      'Try promo codes, and manage those of a store',
      async () => (await import('./promos/promos.ts')).promos,
    ],
    catalog: [
      'Prices and catalogues: sync, edit, history, import, export',
      async () => (await import('./catalog/catalog.ts')).catalog,
      'store',
    ],
    report: [
      'Report sales and profit, and compare payments with a statement of the gateway',
      async () => (await import('./reports/report.ts')).report,
      'store',
    ],
    balance: [
      'Show the balance at each supplier, and how long it lasts',
      async () => (await import('./reports/balance.ts')).balance,
      'store',
    ],
    activity: [
      'List what operators did: orders, money, prices, promos, keys, webhooks, logins',
      async () => (await import('./activity.ts')).activity,
      'store',
    ],
    runbook: [
      'Say what to do about an alert',
      async () => (await import('./runbook.ts')).runbook,
      'no service',
    ],
    console: [
      'Log in to the console, the pages for operators, and end sessions there',
      async () => (await import('./console/console.ts')).consoleCommands,
      'store',
    ],
  }),
  ...inGroup('server', {
    serve: [
      'Run the reference server',
      async () => (isNewestNode() ? (await import('./serve.ts')).serve : serveElsewhere),
      'store',
    ],
    keys: [
      'Create, list, rotate and revoke the API keys of a store',
      async () => (await import('./keys.ts')).keys,
      'store',
    ],
    callbacks: [
      'Show what gateways and suppliers reported, and handle it again',
      async () => (await import('./callbacks/callbacks.ts')).callbacks,
      'store',
    ],
    webhooks: [
      'Tell other systems of events, and see what arrived',
      async () => (await import('./webhooks/webhooks.ts')).webhooks,
      'store',
    ],
    backup: [
      'Make a verified backup of a store, even while a server runs',
      async () => (await import('./database/backup.ts')).backup,
      'store',
    ],
    restore: [
      'Replace a store with a backup; the old store is kept beside it',
      async () => (await import('./database/restore.ts')).restore,
      'store',
    ],
    db: [
      'Show the state of a store, upgrade it, and move it to PostgreSQL or back',
      async () => (await import('./database/status.ts')).db,
      'store',
    ],
    doctor: ['Find problems, and how to fix them', async () => (await import('./doctor/doctor.ts')).doctor],
  }),
  ...inGroup('developers', {
    games: ['Show games, their products and payment methods', async () => (await import('./games.ts')).games],
    checkout: [
      'Show what an order of a game needs, and how it can be paid',
      async () => (await import('./checkout.ts')).checkout,
    ],
    invoices: [
      'Show orders as their customers see them',
      async () => (await import('./invoices.ts')).invoices,
    ],
    sandbox: [
      'Control a sandbox: pay, deliver, move its clock',
      async () => (await import('./sandbox/sandbox.ts')).sandbox,
    ],
    trigger: [
      'Make an event happen in a sandbox',
      async () => (await import('./sandbox/trigger.ts')).trigger,
    ],
    listen: [
      'Print events as they come, and forward them to a program that you develop',
      async () => (await import('./listen/listen.ts')).listen,
    ],
    simulate: [
      'Play payment gateways and suppliers over HTTP, faults included',
      async () => (await import('./simulate.ts')).simulate,
      'store',
    ],
    conformance: [
      'Check a service against the interface, and show how it handles what the interface leaves open',
      async () => (await import('./conformance/conformance.ts')).conformance,
    ],
    mcp: [
      'Serve the tools of a sandbox to an assistant that writes an integration',
      async () => (await import('./mcp/mcp.ts')).mcp,
    ],
    open: [
      'Open the documentation or a payment page in the browser',
      async () => (await import('./open.ts')).open,
    ],
  }),
  ...inGroup('self', {
    guide: [
      'Start a sandbox and place a first order, step by step',
      async () => (await import('./sandbox/guide.ts')).guide,
      'no service',
    ],
    login: [
      "Save a service's base URL and key in a profile",
      async () => (await import('./login.ts')).loginCommand,
    ],
    logout: [
      'Remove the key of a profile',
      async () => (await import('./login.ts')).logoutCommand,
      'no service',
    ],
    config: [
      'Show the effective settings, and change those of a profile',
      async () => (await import('./config/config.ts')).config,
    ],
    version: ['Print the version', async () => (await import('./version.ts')).versionCommand, 'no service'],
    completion: [
      'Let the shell complete commands, games, orders and more',
      async () => (await import('./completion.ts')).completion,
      'no service',
    ],
  }),
];
