import { kitDialect } from '@topup-kit/core/contract';
import type { ConformanceFixture } from '../fixture.ts';
import { numberAt, objectsAt, textAt } from '../json.ts';
import { type ConformanceTarget, createProbe } from '../probe.ts';
import { createRepeatedReads, type Read } from './repeated-reads.ts';

/** Maximum number of games in which to search for a product to order. */
const maxGames = 10;

const customer = { id: '12345678', whatsapp: '081234567890' };
const anyServer = '2012';

interface Offer {
  slug: string;
  productId: number;
  price: number;
  /** A value for the game's server field; undefined if the game needs none. */
  server: string | undefined;
  methods: Record<string, unknown>[];
}

/** Reads a product that can be ordered from a game's checkout; undefined if there is none, or the route is missing. */
async function readOffer(read: Read, slug: string): Promise<Offer | undefined> {
  const body = (await read(`/order/${encodeURIComponent(slug)}`))?.body;
  const product = objectsAt(body, 'game.products').find(({ status }) => status === true);
  const productId = numberAt(product, 'id');
  if (productId === undefined) return undefined;
  const field = objectsAt(body, 'game.fields').find(({ name, required }) => name === 'server' && required);
  const promotion = product?.is_promo === true ? numberAt(product, 'promo_price') : undefined;
  return {
    slug,
    productId,
    price: promotion ?? numberAt(product, 'selling_price') ?? 0,
    server: field && (textAt(field, 'options.0') ?? anyServer),
    methods: objectsAt(body, 'paymentMethods').filter(({ status }) => status === true),
  };
}

/** Chooses the payment method with the lowest fee that accepts the price. */
function chooseMethod({ methods, price }: Offer): number | undefined {
  const suitable = methods
    .map((method) => ({
      id: numberAt(method, 'id'),
      fee: (numberAt(method, 'fee') ?? 0) + (price * (numberAt(method, 'fee_percent') ?? 0)) / 100,
      minimum: numberAt(method, 'minimum_amount') ?? 0,
      maximum: numberAt(method, 'maximum_amount') ?? Number.POSITIVE_INFINITY,
    }))
    // The maximum must allow twice the price, because some cases order a quantity of two.
    .filter(({ minimum, maximum }) => price >= minimum && price * 2 <= maximum);
  return suitable.toSorted((a, b) => a.fee - b.fee)[0]?.id;
}

function orderOf(offer: Offer, methodId: number): ConformanceFixture['order'] {
  const { slug, productId, server } = offer;
  const product = { game: slug, product_id: productId, payment_method_id: methodId };
  return { ...customer, ...(server !== undefined && { server }), ...product };
}

async function findOrder(
  read: Read,
  slugs: readonly string[],
): Promise<Partial<ConformanceFixture> | undefined> {
  let order: ConformanceFixture['order'] | undefined;
  for (const slug of slugs.slice(0, maxGames)) {
    const offer = await readOffer(read, slug);
    if (!offer) continue;
    if (order) return { order, otherGameProductId: offer.productId };
    const methodId = chooseMethod(offer);
    if (methodId !== undefined) order = orderOf(offer, methodId);
  }
  return order && { order };
}

/** Converts a given order to a fixture. The promo code becomes a separate part, which cases add to their order if they need it. */
const givenSample = ({ promo_code, ...order }: ConformanceFixture['order']): Partial<ConformanceFixture> => ({
  order,
  ...(promo_code !== undefined && { promoCode: promo_code }),
});

interface DiscoveredSample {
  fixture: ConformanceFixture;
  /** True if the fixture's order can be placed. Otherwise, only cases that read can use the fixture. */
  orderable: boolean;
}

/**
 * Builds a fixture from a service's own catalogue, with GET requests only. An order, if given, is used unchanged.
 *
 * @throws ConformanceFailure if the service can't be reached.
 * @example
 * const { fixture } = await discoverFixture({ baseUrl, apiKey, fetch });
 * await runConformance({ baseUrl, apiKey, fetch, fixture });
 */
export async function discoverFixture(
  target: ConformanceTarget,
  { order, signal }: { order?: ConformanceFixture['order'] | undefined; signal: AbortSignal },
): Promise<DiscoveredSample> {
  const probe = createProbe(
    { needs: 'reads', cites: [] },
    { ...target, dialect: kitDialect },
    { signal, notes: [] },
  );
  const read = createRepeatedReads(probe);
  const games = objectsAt((await read('/games'))?.body, 'games');
  const slugs = (open: boolean): string[] =>
    games
      .filter(({ status }) => status === open)
      .flatMap(({ slug }) => (typeof slug === 'string' ? [slug] : []));
  const [closedGame] = slugs(false);
  const parts = order ? givenSample(order) : ((await findOrder(read, slugs(true))) ?? {});
  const nonexistent = { ...customer, game: slugs(true)[0] ?? 'none', product_id: 0, payment_method_id: 0 };
  return {
    orderable: parts.order !== undefined,
    fixture: {
      order: nonexistent,
      ...parts,
      ...(parts.order?.server !== undefined && !order && { needsServer: true }),
      ...(closedGame !== undefined && { closedGame }),
    },
  };
}
