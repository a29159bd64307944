import { useSyncExternalStore } from 'react';

/** Routes are URL fragments, so that any static file host can serve the shop. */
export const paths = {
  catalogue: '#/',
  orders: '#/orders',
  game: (slug: string) => `#/games/${encodeURIComponent(slug)}`,
  payment: (orderId: string) => `#/pay/${encodeURIComponent(orderId)}`,
  invoice: (orderId: string) => `#/invoice/${encodeURIComponent(orderId)}`,
  wallet: (reference: string) => `#/wallet/${encodeURIComponent(reference)}`,
};

export type Route =
  | { screen: 'catalogue'; category: number | undefined; search: string }
  | { screen: 'orders' | 'unknown' }
  | { screen: 'checkout'; slug: string }
  | { screen: 'payment' | 'invoice'; orderId: string }
  | { screen: 'wallet'; reference: string };

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export function parseRoute(hash: string): Route {
  const [path = '', query] = hash.replace(/^#?\/?/, '').split('?');
  const [name, rest = ''] = path.split('/').map(decode);
  if (!name) {
    const params = new URLSearchParams(query);
    return {
      screen: 'catalogue',
      category: Number(params.get('category')) || undefined,
      search: params.get('q') ?? '',
    };
  }
  if (name === 'orders' && !rest) return { screen: 'orders' };
  if (name === 'games' && rest) return { screen: 'checkout', slug: rest };
  if (name === 'pay' && rest) return { screen: 'payment', orderId: rest };
  if (name === 'invoice' && rest) return { screen: 'invoice', orderId: rest };
  if (name === 'wallet' && rest) return { screen: 'wallet', reference: rest };
  return { screen: 'unknown' };
}

/** Returns the address of the catalogue with these filters. */
export function cataloguePath(category: number | undefined, search: string): string {
  const query = new URLSearchParams();
  if (category !== undefined) query.set('category', String(category));
  if (search) query.set('q', search);
  return query.size ? `${paths.catalogue}?${query}` : paths.catalogue;
}

const subscribe = (listener: () => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

export const useHash = (): string => useSyncExternalStore(subscribe, () => location.hash);

export const navigate = (hash: string): void => {
  location.hash = hash;
};

/** Navigates like {@link navigate}, without a new history entry. */
export function replaceHash(hash: string): void {
  history.replaceState(null, '', hash);
  dispatchEvent(new HashChangeEvent('hashchange'));
}
