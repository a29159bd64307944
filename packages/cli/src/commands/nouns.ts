import type { Define } from './define.ts';

interface Noun {
  name: string;
  summary: string;
  /** Whether it asks a service, which `--base-url` then names. */
  asksService: boolean;
  /** Loads the command, which happens only when it is named. */
  load(): Promise<Define>;
}

export const nouns: readonly Noun[] = [
  {
    name: 'serve',
    summary: 'Run the reference server',
    asksService: false,
    load: async () => (await import('./serve/serve.ts')).defineServe,
  },
  {
    name: 'games',
    summary: 'See the games, their products and the ways to pay',
    asksService: true,
    load: async () => (await import('./games/games.ts')).defineGames,
  },
  {
    name: 'orders',
    summary: 'Place orders, look at them and see them through',
    asksService: true,
    load: async () => (await import('./orders/orders.ts')).defineOrders,
  },
  {
    name: 'keys',
    summary: 'Make, list and revoke the API keys of a store',
    asksService: false,
    load: async () => (await import('./keys/keys.ts')).defineKeys,
  },
  {
    name: 'promos',
    summary: 'Make and end the promo codes of a store',
    asksService: false,
    load: async () => (await import('./promos/promos.ts')).definePromos,
  },
  {
    name: 'catalog',
    summary: 'Check, compare, import and export what a store sells',
    asksService: false,
    load: async () => (await import('./catalog/catalog.ts')).defineCatalog,
  },
  {
    name: 'sandbox',
    summary: 'Pay, deliver and move time in a sandbox',
    asksService: true,
    load: async () => (await import('./sandbox/sandbox.ts')).defineSandbox,
  },
  {
    name: 'conformance',
    summary: 'Say how a service differs from the interface, and how it fills its silence',
    asksService: true,
    load: async () => (await import('./conformance/conformance.ts')).defineConformance,
  },
];
