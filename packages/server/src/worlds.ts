import { type Connection, isLoopback } from '@topup-kit/core/app';
import { headers } from '@topup-kit/core/contract';
import { type FixedKey, isKeyText } from '@topup-kit/core/engine';
import type { Service } from './service.ts';

/** How many worlds there may be beside the first. */
const maxWorlds = 200;

const inProcess: Connection = { address: '127.0.0.1' };

/** The payment that a path below `/pay/` belongs to. */
function referenceOf({ url }: Request): string | undefined {
  const [, folder = '', reference = ''] = new URL(url).pathname.split('/');
  try {
    return decodeURIComponent(folder) === 'pay' && reference !== ''
      ? decodeURIComponent(reference)
      : undefined;
  } catch {
    // Badly encoded, so nobody's reference.
    return undefined;
  }
}

/**
 * Services with a world each, seen as one: every well-formed test key that comes over loopback opens a world of its
 * own, and the one whose key is unused for longest is forgotten. All other requests are the first world's.
 */
export function createWorlds(deps: {
  first: Service;
  /** The keys of the first world. */
  firstKeys: readonly FixedKey[];
  /** Builds a new world that a key opens. */
  open: (fixedKey: FixedKey) => Service;
}): Service {
  const { first, open } = deps;
  const firstKeys = new Set(deps.firstKeys.map(({ key }) => key));
  /** By key, the one that is unused for longest first. */
  const others = new Map<string, Service>();
  const all = (): Service[] => [first, ...others.values()];

  function use(key: string, world: Service): Service {
    others.delete(key);
    others.set(key, world);
    const [oldest] = others.keys();
    if (others.size > maxWorlds && oldest !== undefined) others.delete(oldest);
    return world;
  }

  function ofKey(key: string | null, connection: Connection): Service {
    // From elsewhere, strangers could make this machine's own worlds be forgotten.
    if (key === null || firstKeys.has(key) || !isLoopback(connection)) return first;
    const known = others.get(key);
    if (known) return use(key, known);
    return key.startsWith('tk_test_') && isKeyText(key) ? use(key, open({ key, loopbackOnly: true })) : first;
  }

  async function ofPayment(reference: string): Promise<Service> {
    for (const world of all()) if (await world.findByReference(reference)) return world;
    return first;
  }

  return {
    app: {
      async fetch(request, connection = inProcess) {
        // The customer who opens a payment page has no key.
        const reference = referenceOf(request);
        const world =
          reference === undefined
            ? ofKey(request.headers.get(headers.apiKey), connection)
            : await ofPayment(reference);
        return world.app.fetch(request, connection);
      },
      answerGameList: (key, connection, accept) =>
        ofKey(key, connection).app.answerGameList(key, connection, accept),
    },
    dueWork: {
      run: async () => void (await Promise.all(all().map(({ dueWork }) => dueWork.run()))),
    },
    findByReference: async (reference) => (await ofPayment(reference)).findByReference(reference),
    takePaymentNews: async (news) => (await ofPayment(news.reference)).takePaymentNews(news),
  };
}
