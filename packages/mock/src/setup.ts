import type { SetupWorker } from 'msw/browser';
import type { HttpHandler } from 'msw/http';
import type { SetupServer } from 'msw/node';

/**
 * Loaded by a name that bundlers don't follow: for a browser there is no `msw/node`, and a bundle for one would fail
 * to build over it.
 */
export async function setupMockServer(handlers: readonly HttpHandler[]): Promise<SetupServer> {
  const entry = 'msw/node';
  // safe: what that entry is
  const { setupServer } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ entry)) as {
    setupServer(...handlers: HttpHandler[]): SetupServer;
  };
  return setupServer(...handlers);
}

export async function setupMockWorker(handlers: readonly HttpHandler[]): Promise<SetupWorker> {
  const { setupWorker } = await import('msw/browser');
  return setupWorker(...handlers);
}
