// MSW 2 has this entry as well.
export { http } from 'msw';

/** Imports `msw/node` in a way that bundlers don't follow, because a bundle for browsers would fail to build. */
export function importMswNode(): Promise<typeof import('msw/node')> {
  const entry = 'msw/node';
  return import(/* @vite-ignore */ /* webpackIgnore: true */ entry);
}

export const importMswBrowser = (): Promise<typeof import('msw/browser')> => import('msw/browser');
