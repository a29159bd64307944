import {
  type App,
  type Connection,
  fetchBy,
  inProcess,
  isBelow,
  ownPaths,
  pathOf,
} from '@topup-kit/core/app';
import { headers, isKeyText } from '@topup-kit/core/contract';
import type { FixedKey } from '@topup-kit/core/engine';
import type { Service } from '../../service/world.ts';

const maxWorlds = 200;

/** The reference in a path below `/pay/`. */
function referenceIn(path: string): string | undefined {
  const [, , reference = ''] = path.split('/');
  if (reference === '') return undefined;
  try {
    return decodeURIComponent(reference);
  } catch {
    // Invalid percent-encoding, so it can't be a reference.
    return undefined;
  }
}

/**
 * Combines many services into one. Each has its own world: its own orders, clock and scenario. A well-formed test key
 * in a direct request opens a world of its own; the least recently used world is deleted when there are too many.
 * All other requests go to the first world.
 */
export function createWorlds(deps: {
  first: Service;
  firstKeys: readonly FixedKey[];
  open: (fixedKey: FixedKey) => Service;
  /** The key of the world that a visitor of the console looks at, by their cookies; null for the first one. */
  worldOf: (cookies: string | null) => string | null;
}): Service & {
  /** The keys of the worlds in use: one of the first, then the others. */ keys: () => readonly string[];
} {
  const { first, open, worldOf } = deps;
  const firstKeys = new Set(deps.firstKeys.map(({ key }) => key));
  /** By key, the least recently used first. */
  const others = new Map<string, Service>();
  const all = (): Service[] => [first, ...others.values()];

  function use(key: string, world: Service): Service {
    others.delete(key);
    others.set(key, world);
    const [oldest] = others.keys();
    if (others.size > maxWorlds && oldest !== undefined) others.delete(oldest);
    return world;
  }

  function worldOfKey(key: string | null, connection: Connection): Service {
    // Direct requests only: otherwise strangers could push out the worlds of this machine's own tests.
    if (key === null || firstKeys.has(key) || !connection.direct) return first;
    const known = others.get(key);
    if (known) return use(key, known);
    return key.startsWith('tk_test_') && isKeyText(key) ? use(key, open({ key, directOnly: true })) : first;
  }

  async function worldWith(has: (world: Service) => Promise<unknown>): Promise<Service> {
    for (const world of all()) if (await has(world)) return world;
    return first;
  }
  const worldOfPage = (reference: string): Promise<Service> =>
    worldWith(({ findByPage }) => findByPage(reference));
  const worldOfPayment = (reference: string): Promise<Service> =>
    worldWith(({ findByReference }) => findByReference(reference));

  const handle: App['handle'] = async (request, connection = inProcess, record) => {
    const path = pathOf(request.target);
    // Customers open a payment page without a key, so its reference selects the world.
    const reference = isBelow(path, ownPaths.pay) ? referenceIn(path) : undefined;
    const keyOf = (): string | null =>
      isBelow(path, ownPaths.console) ? worldOf(request.header('Cookie')) : request.header(headers.apiKey);
    const world = reference === undefined ? worldOfKey(keyOf(), connection) : await worldOfPage(reference);
    return world.app.handle(request, connection, record);
  };

  return {
    keys: () => [...[...firstKeys].slice(0, 1), ...others.keys()],
    app: { handle, fetch: fetchBy(handle) },
    dueWork: {
      run: async () => void (await Promise.all(all().map(({ dueWork }) => dueWork.run()))),
    },
    findByPage: async (reference) => (await worldOfPage(reference)).findByPage(reference),
    findByReference: async (reference) => (await worldOfPayment(reference)).findByReference(reference),
    handlePaymentEvent: async (event) => (await worldOfPayment(event.reference)).handlePaymentEvent(event),
  };
}
