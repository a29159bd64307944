import type {
  FindPurchaseRequest,
  PurchaseRequest,
  PurchaseResult,
  Supplier,
} from '@topup-kit/core/supplier';
import * as z from 'zod/mini';
import { createProviderHttp, type ProviderRequest, withPrevious } from '../http.ts';
import { createPriceCheck } from '../price-check.ts';
import type { ProviderHost } from '../provider.ts';
import { cost, createRowReader, decimal, flag, id, purchaseCost, word } from '../readers.ts';
import { failureIn, rejectedPurchase, submitOrWait } from '../rejections.ts';
import { createVipResellerCallbacks } from './callback.ts';
import { outcomes, rejections } from './responses.ts';
import type { VipResellerSettings } from './settings.ts';
import { constantSignature } from './signature.ts';

/** Minimum time between two look-ups. No limit is documented. An order takes seconds to minutes, and a look-up confirms each webhook. */
const findIntervalMs = 5_000;
const maxServicesBytes = 16 * 1_048_576;

const envelope = z.object({
  result: flag,
  data: z.unknown(),
  message: z.catch(z.optional(z.string()), undefined),
});
const serviceList = z.array(z.unknown());
const service = z.object({
  code: id,
  name: word,
  game: word,
  status: z.string(),
  /** Prices of higher levels are lower, and may be missing. */
  price: z.object({ basic: cost, premium: z.nullish(cost), special: z.nullish(cost) }),
});
type Service = z.infer<typeof service>;
const order = z.object({
  trxid: id,
  status: z.optional(z.string()),
  note: word,
  price: purchaseCost,
});
type Order = z.infer<typeof order>;
const profile = z.object({ balance: decimal });

/** Names that VIP Reseller uses for games with a player look-up, by their slugs in the catalogue. */
const nicknameCodes: ReadonlyMap<string, string> = new Map([
  ['mobile-legends', 'mobile-legends'],
  ['free-fire', 'free-fire'],
  ['pubg-mobile', 'pubgm'],
  ['valorant', 'valorant'],
  ['genshin-impact', 'genshin-impact'],
]);
/** Tells whether a message means an unknown player. Other rejections may concern the game, the key or the address. */
const isMissingPlayer = (message = ''): boolean =>
  /\b(user|id|player|akun)\b.*\b(tidak ditemukan|not found|tidak valid|invalid)\b/i.test(message);

/**
 * Creates the supplier VIP Reseller. It stores no reference of ours, so an order can be found again only by the id in its response.
 *
 * It accepts no price limit, so `submit` reads the price first: the purchase fails if the price is too high, and waits if it can't be read.
 */
export function createVipResellerSupplier(
  { apiId, apiKey, previousApiKey, level, baseUrl }: VipResellerSettings,
  { clock = Date.now, warn }: Partial<Pick<ProviderHost, 'clock' | 'warn'>> = {},
): Supplier {
  const sign = constantSignature(apiId, apiKey);
  const apiKeys = withPrevious(apiKey, previousApiKey);
  const callbackSigns = apiKeys.map((key) => constantSignature(apiId, key));
  const secrets = [...apiKeys, apiId, ...callbackSigns];
  const http = createProviderHttp({ title: 'VIP Reseller', baseUrl, secrets });
  const readRows = createRowReader(http, warn);

  /** Returns the account's price. No documented response says which price applies, so the highest price is assumed. */
  const priceOf = ({ price }: Service): number =>
    (level && price[level]) ?? Math.max(price.basic, price.premium ?? 0, price.special ?? 0);

  async function post(
    path: string,
    form: Record<string, string>,
    options: Pick<ProviderRequest, 'signal' | 'maxBytes'>,
  ): Promise<z.infer<typeof envelope>> {
    const { status, body } = await http.send({
      method: 'POST',
      path,
      form: { key: apiKey, sign, ...form },
      ...options,
    });
    if (status >= 500) throw http.error(`POST /${path} got a response with status ${status}.`);
    const { success, data } = envelope.safeParse(body);
    if (success) return data;
    throw http.error(`POST /${path} got a response with status ${status} that can't be read.`, { status });
  }

  /** Returns the data of a response; throws if it is missing or unreadable. */
  async function read<Data>(
    path: string,
    form: Record<string, string>,
    schema: z.ZodMiniType<Data>,
    options: Pick<ProviderRequest, 'signal' | 'maxBytes'>,
  ): Promise<Data> {
    const about = [`POST /${path}`, form.type].join(' ').trim();
    const { result, data, message } = await post(path, form, options);
    if (!result)
      throw http.error(
        `${about} was rejected: ${message ?? 'no message'}. Check the API id, the key and the allowed addresses.`,
      );
    const parsed = schema.safeParse(data);
    if (parsed.success) return parsed.data;
    throw http.error(`${about} got a response that can't be read.`);
  }

  async function readList(signal: AbortSignal) {
    const list = await read('game-feature', { type: 'services' }, serviceList, {
      signal,
      maxBytes: maxServicesBytes,
    });
    const about = 'POST /game-feature services';
    const products = readRows(list, service, { about, name: 'code' }).map((service) => ({
      code: service.code,
      price: priceOf(service),
      ...(service.name !== undefined && { name: service.name }),
      ...(service.game !== undefined && { brand: service.game }),
      isAvailable: service.status.toLowerCase() === 'available',
      stock: null,
      isOncePerDay: false,
      pause: null,
    }));
    return { products, isComplete: products.length === list.length };
  }

  const prices = createPriceCheck({ http, readList, clock });

  function outcomeOf({ trxid: supplierId, status, note, price: cost }: Order): PurchaseResult | null {
    switch (outcomes[status?.toLowerCase() ?? '']) {
      case 'bought':
        return { state: 'delivered', serialNumber: note?.trim() ?? '', supplierId, cost };
      case 'pending':
        return { state: 'pending', supplierId, cost };
      case 'never': {
        const reason = http.error(note || 'the order failed').message;
        return { state: 'failed', reason, ...failureIn(rejections, note ?? ''), supplierId };
      }
      default:
        return null;
    }
  }

  async function buy({ productCode, target }: PurchaseRequest, signal: AbortSignal): Promise<PurchaseResult> {
    const form = {
      type: 'order',
      service: productCode,
      data_no: target.id,
      ...(target.server !== null && { data_zone: target.server }),
    };
    const { result, data, message } = await post('game-feature', form, { signal });
    const parsed = order.safeParse([data].flat()[0]);
    // Only the id identifies the order, so it is kept even if the rest of the response is unreadable.
    if (parsed.success) {
      const { trxid: supplierId, price: cost } = parsed.data;
      return (result ? outcomeOf(parsed.data) : null) ?? { state: 'pending', supplierId, cost };
    }
    if (!result)
      return rejectedPurchase({ http, table: rejections }, 'the order was rejected', message ?? 'no message');
    throw http.error('the order has no readable id. Look it up at VIP Reseller by its target.');
  }

  return {
    name: 'vip-reseller',
    sandbox: false,
    abilities: { findBy: 'supplierId', findIntervalMs, referenceLifetimeMs: null },
    submit: async (request, signal) =>
      (await prices.check(request, signal)) ??
      submitOrWait(() => buy(request, signal), { believesStatus: true }),
    async find({ supplierId }: FindPurchaseRequest, signal): Promise<PurchaseResult> {
      if (supplierId === null) throw http.error('an order without an id can only be looked up by hand.');
      const form = { type: 'status', trxid: supplierId };
      const orders = await read('game-feature', form, z.array(z.unknown()), { signal });
      const candidates = orders
        .flatMap((input) => order.safeParse(input).data ?? [])
        .find(({ trxid }) => trxid === supplierId);
      const outcome = candidates && outcomeOf(candidates);
      if (outcome) return outcome;
      throw http.error(
        candidates
          ? `Topup Kit does not know the status of the order ${supplierId}. Look it up at VIP Reseller.`
          : `the response is not about the order ${supplierId}. Look it up at VIP Reseller.`,
      );
    },
    readProducts: prices.readProducts,
    async readBalance(signal) {
      const { balance } = await read('profile', {}, profile, { signal });
      return Math.floor(balance);
    },
    async findPlayer({ game, id, server }, signal) {
      const code = nicknameCodes.get(game);
      if (code === undefined) return null;
      const form = {
        type: 'get-nickname',
        code,
        target: id,
        ...(server !== null && { additional_target: server }),
      };
      const { result, data, message } = await post('game-feature', form, { signal });
      if (result && typeof data === 'string') return { exists: true, nickname: data.trim() || null };
      if (!result && isMissingPlayer(message)) return { exists: false };
      throw http.error(`a nickname could not be read: ${message ?? 'no message'}.`);
    },
    callbacks: createVipResellerCallbacks(callbackSigns),
  };
}
