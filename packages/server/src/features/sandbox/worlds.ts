import {
  type App,
  type Connection,
  createFetch,
  inProcess,
  isRouteOrChild,
  ownPaths,
  pathOf,
} from '@topup-kit/core/app';
import { headers, isKeyText, isWorldName } from '@topup-kit/core/contract';
import type { FixedKey } from '@topup-kit/core/engine';
import type { Service } from '../../service/world.ts';

const maxWorlds = 200;

/** Returns the reference in a path below `/pay/`. */
function referenceIn(path: string): string | undefined {
  const [, , reference = ''] = path.split('/');
  if (reference === '') return undefined;
  try {
    return decodeURIComponent(reference);
  } catch {
    // Invalid percent-encoding can't be part of a reference.
    return undefined;
  }
}

/**
 * Combines many services into one. Each service has its own world: its own orders, clock and scenario. A direct request opens a world with
 * a well-formed test key or with a header. When there are too many worlds, the least recently used one is deleted. All other requests use
 * the first world.
 */
export function createWorlds(deps: {
  first: Service;
  firstKeys: readonly FixedKey[];
  open: (name: string) => Service;
  /** Returns the world that a visitor of the console sees, from the visitor's cookies; null for the first world. */
  worldOf: (cookies: string | null) => string | null;
}): Service & {
  /** The names of the worlds in use: a key of the first world, then the others. */ names: () => readonly string[];
} {
  const { first, open } = deps;
  const firstKeys = new Map(deps.firstKeys.map(({ key, directOnly }) => [key, directOnly]));
  /** Worlds by name, least recently used first. */
  const others = new Map<string, Service>();
  const all = (): Service[] => [first, ...others.values()];

  function worldNamed(name: string): Service {
    if (firstKeys.has(name)) return first;
    const world = others.get(name) ?? open(name);
    others.delete(name);
    others.set(name, world);
    const [oldest] = others.keys();
    if (others.size > maxWorlds && oldest !== undefined) others.delete(oldest);
    return world;
  }

  /** Returns the world of a request: by its header or the console's cookie, otherwise by its key. */
  function worldOf(name: string | null, key: string | null, { direct }: Connection): Service {
    // Strangers can't open worlds, because they could evict the worlds of this machine's tests.
    if (name !== null && isWorldName(name) && (direct || firstKeys.get(key ?? '') === false))
      return worldNamed(name);
    return direct && key?.startsWith('tk_test_') && isKeyText(key) ? worldNamed(key) : first;
  }

  async function worldWith(has: (world: Service) => Promise<unknown>): Promise<Service> {
    for (const world of all()) if (await has(world)) return world;
    return first;
  }
  /** Finds the world of a payment page. Worlds that restored the same snapshot have the same pages, so the named world comes first. */
  async function worldOfPage(reference: string, name: string | null = null): Promise<Service> {
    const named = firstKeys.has(name ?? '') ? first : others.get(name ?? '');
    if (named && (await named.findByPage(reference))) return named;
    return worldWith(({ findByPage }) => findByPage(reference));
  }
  const worldOfPayment = (reference: string): Promise<Service> =>
    worldWith(({ findByReference }) => findByReference(reference));

  const handle: App['handle'] = async (request, connection = inProcess, record) => {
    const path = pathOf(request.target);
    // Customers open a payment page without a key, so its reference selects the world.
    const reference = isRouteOrChild(path, ownPaths.pay) ? referenceIn(path) : undefined;
    const named = (): Service =>
      isRouteOrChild(path, ownPaths.console)
        ? worldOf(deps.worldOf(request.header('Cookie')), null, connection)
        : worldOf(request.header(headers.world), request.header(headers.apiKey), connection);
    const world =
      reference === undefined
        ? named()
        : await worldOfPage(
            reference,
            request.header(headers.world) ?? deps.worldOf(request.header('Cookie')),
          );
    return world.app.handle(request, connection, record);
  };

  return {
    names: () => [...[...firstKeys.keys()].slice(0, 1), ...others.keys()],
    app: { handle, fetch: createFetch(handle) },
    dueWork: {
      run: async () => void (await Promise.all(all().map(({ dueWork }) => dueWork.run()))),
    },
    findByPage: async (reference) => (await worldOfPage(reference)).findByPage(reference),
    findByReference: async (reference) => (await worldOfPayment(reference)).findByReference(reference),
    handlePaymentEvent: async (event) => (await worldOfPayment(event.reference)).handlePaymentEvent(event),
  };
}
