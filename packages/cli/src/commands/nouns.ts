import type { Define } from '../define-command.ts';

/** The section of the help: commands for a shop, for a server, and for `topup` itself. */
export type NounGroup = 'shop' | 'service' | 'self';

interface Noun {
  name: string;
  summary: string;
  group: NounGroup;
  /** Whether the command contacts a service, so that `--base-url` applies. */
  asksService: boolean;
  /** Called only if the command is named. */
  load(): Promise<Define>;
}

/** In the order of the help. */
export const nouns: readonly Noun[] = [
  {
    name: 'games',
    summary: 'Show games, their products and payment methods',
    group: 'shop',
    asksService: true,
    load: async () => (await import('./games.ts')).games,
  },
  {
    name: 'checkout',
    summary: 'Show what an order of a game needs, and how it can be paid',
    group: 'shop',
    asksService: true,
    load: async () => (await import('./checkout.ts')).checkout,
  },
  {
    name: 'orders',
    summary: 'Place, show and manage orders',
    group: 'shop',
    asksService: true,
    load: async () => (await import('./orders/orders.ts')).orders,
  },
  {
    name: 'invoices',
    summary: 'Show orders as their customers see them',
    group: 'shop',
    asksService: true,
    load: async () => (await import('./invoices.ts')).invoices,
  },
  {
    name: 'promos',
    summary: 'Try promo codes, and manage those of a store',
    group: 'shop',
    asksService: true,
    load: async () => (await import('./promos/promos.ts')).promos,
  },
  {
    name: 'serve',
    summary: 'Run the reference server',
    group: 'service',
    asksService: false,
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'keys',
    summary: 'Create, list, rotate and revoke the API keys of a store',
    group: 'service',
    asksService: false,
    load: async () => (await import('./keys.ts')).keys,
  },
  {
    name: 'catalog',
    summary: 'Check, compare, import and export catalogues',
    group: 'service',
    asksService: false,
    load: async () => (await import('./catalog/catalog.ts')).catalog,
  },
  {
    name: 'callbacks',
    summary: 'Show what gateways and suppliers reported, and handle it again',
    group: 'service',
    asksService: false,
    load: async () => (await import('./callbacks/callbacks.ts')).callbacks,
  },
  {
    name: 'sandbox',
    summary: 'Control a sandbox: pay, deliver, move its clock',
    group: 'service',
    asksService: true,
    load: async () => (await import('./sandbox/sandbox.ts')).sandbox,
  },
  {
    name: 'simulate',
    summary: 'Play payment gateways and suppliers over HTTP, faults included',
    group: 'service',
    asksService: false,
    load: async () => (await import('./simulate.ts')).simulate,
  },
  {
    name: 'conformance',
    summary: 'Check a service against the interface, and show how it handles what the interface leaves open',
    group: 'service',
    asksService: true,
    load: async () => (await import('./conformance/conformance.ts')).conformance,
  },
  {
    name: 'backup',
    summary: 'Make a verified backup of a store, even while a server runs',
    group: 'service',
    asksService: false,
    load: async () => (await import('./database/backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Replace a store with a backup; the old store is kept beside it',
    group: 'service',
    asksService: false,
    load: async () => (await import('./database/restore.ts')).restore,
  },
  {
    name: 'db',
    summary: 'Show the state of a store, upgrade it, and move it to PostgreSQL or back',
    group: 'service',
    asksService: false,
    load: async () => (await import('./database/status.ts')).db,
  },
  {
    name: 'guide',
    summary: 'Start a sandbox and place a first order, step by step',
    group: 'self',
    asksService: false,
    load: async () => (await import('./guide.ts')).guide,
  },
  {
    name: 'login',
    summary: "Save a service's base URL and key in a profile",
    group: 'self',
    asksService: true,
    load: async () => (await import('./login.ts')).loginCommand,
  },
  {
    name: 'logout',
    summary: 'Remove the key of a profile',
    group: 'self',
    asksService: false,
    load: async () => (await import('./login.ts')).logoutCommand,
  },
  {
    name: 'config',
    summary: 'Show the effective settings, and change those of a profile',
    group: 'self',
    asksService: true,
    load: async () => (await import('./config/config.ts')).config,
  },
  {
    name: 'doctor',
    summary: 'Find problems, and how to fix them',
    group: 'self',
    asksService: true,
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  {
    name: 'open',
    summary: 'Open the documentation or a payment page in the browser',
    group: 'self',
    asksService: true,
    load: async () => (await import('./open.ts')).open,
  },
  {
    name: 'version',
    summary: 'Print the version',
    group: 'self',
    asksService: false,
    load: async () => (await import('./version.ts')).versionCommand,
  },
  {
    name: 'completion',
    summary: 'Let the shell complete commands, games, orders and more',
    group: 'self',
    asksService: false,
    load: async () => (await import('./completion.ts')).completion,
  },
];
