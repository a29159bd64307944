import type { Define } from '../define-command.ts';

/** Under what help lists a noun: what a shop does, what a server needs, what concerns `topup` itself. */
export type NounGroup = 'shop' | 'service' | 'self';

interface Noun {
  name: string;
  summary: string;
  group: NounGroup;
  /** Whether it asks a service, which `--base-url` then names. */
  asksService: boolean;
  /** Loads the command, which happens only when it is named. */
  load(): Promise<Define>;
}

export const nouns: readonly Noun[] = [
  {
    name: 'serve',
    summary: 'Run the reference server',
    group: 'service',
    asksService: false,
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'games',
    summary: 'See the games, their products and the ways to pay',
    group: 'shop',
    asksService: true,
    load: async () => (await import('./games.ts')).games,
  },
  {
    name: 'checkout',
    summary: 'See what an order of a game takes, and how it can be paid',
    group: 'shop',
    asksService: true,
    load: async () => (await import('./checkout.ts')).checkout,
  },
  {
    name: 'orders',
    summary: 'Place orders, look at them and see them through',
    group: 'shop',
    asksService: true,
    load: async () => (await import('./orders/orders.ts')).orders,
  },
  {
    name: 'invoices',
    summary: 'Look at orders as their customers do',
    group: 'shop',
    asksService: true,
    load: async () => (await import('./invoices.ts')).invoices,
  },
  {
    name: 'keys',
    summary: 'Make, list and revoke the API keys of a store',
    group: 'service',
    asksService: false,
    load: async () => (await import('./keys.ts')).keys,
  },
  {
    name: 'promos',
    summary: 'Try promo codes, and make and end those of a store',
    group: 'shop',
    asksService: true,
    load: async () => (await import('./promos/promos.ts')).promos,
  },
  {
    name: 'catalog',
    summary: 'Check, compare, import and export what a store sells',
    group: 'service',
    asksService: false,
    load: async () => (await import('./catalog/catalog.ts')).catalog,
  },
  {
    name: 'sandbox',
    summary: 'Pay, deliver and move time in a sandbox',
    group: 'service',
    asksService: true,
    load: async () => (await import('./sandbox/sandbox.ts')).sandbox,
  },
  {
    name: 'conformance',
    summary: 'Say how a service differs from the interface, and how it fills its silence',
    group: 'service',
    asksService: true,
    load: async () => (await import('./conformance/conformance.ts')).conformance,
  },
  {
    name: 'backup',
    summary: 'Make a verified backup of a store, also while a server runs',
    group: 'service',
    asksService: false,
    load: async () => (await import('./database/backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Put a backup in the place of a store, which is kept beside it',
    group: 'service',
    asksService: false,
    load: async () => (await import('./database/restore.ts')).restore,
  },
  {
    name: 'db',
    summary: "See how a store's file is",
    group: 'service',
    asksService: false,
    load: async () => (await import('./database/status.ts')).db,
  },
  {
    name: 'guide',
    summary: 'Be led to a sandbox and a first order',
    group: 'self',
    asksService: false,
    load: async () => (await import('./guide.ts')).guide,
  },
  {
    name: 'login',
    summary: 'Keep the address of a service and its key in a profile',
    group: 'self',
    asksService: true,
    load: async () => (await import('./login.ts')).loginCommand,
  },
  {
    name: 'logout',
    summary: 'Forget the key of a profile',
    group: 'self',
    asksService: false,
    load: async () => (await import('./login.ts')).logoutCommand,
  },
  {
    name: 'config',
    summary: 'See the settings in force, and change those of a profile',
    group: 'self',
    asksService: true,
    load: async () => (await import('./config/config.ts')).config,
  },
  {
    name: 'doctor',
    summary: 'Find out what is wrong, and how to mend it',
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
    name: 'completion',
    summary: 'Let the shell complete commands, games, orders and more',
    group: 'self',
    asksService: false,
    load: async () => (await import('./completion.ts')).completion,
  },
];
