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
import { createRowReader, decimal, id, purchaseCost, text, word } from '../readers.ts';
import { failureIn, rejectedPurchase, submitOrWait } from '../rejections.ts';
import { createTokovoucherCallbacks } from './callback.ts';
import { listSchema, supplierProducts } from './price-list.ts';
import { adviceFor, outcomes, rejections } from './responses.ts';
import type { TokovoucherSettings } from './settings.ts';
import { referenceSignature } from './signature.ts';

/** Minimum time between two look-ups of a purchase, as Tokovoucher's documentation requires. */
const findIntervalMs = 10 * 60_000;
/** Minimum time between look-ups after webhooks. A webhook announces an outcome, so a look-up follows soon, even if it is repeated. */
const callbackFindIntervalMs = 10_000;
const maxListBytes = 32 * 1_048_576;

const rejection = z.object({ status: z.union([z.literal(0), z.literal('0')]), error_msg: z.string() });

const transaction = z.object({
  ref_id: text,
  status: z.string(),
  message: word,
  sn: word,
  trx_id: z.catch(z.optional(id), undefined),
  price: purchaseCost,
});
type Transaction = z.infer<typeof transaction>;

const member = z.object({ data: z.object({ saldo: decimal }) });

type Response = { rejected: string } | { body: unknown };

/**
 * Creates the supplier Tokovoucher. Its documentation doesn't say whether it buys again for a repeated reference, so each purchase is
 * submitted once, and only looked up afterwards.
 *
 * It accepts no price limit, so `submit` reads the price first: the purchase fails if the price is too high, and waits if it can't be read.
 */
export function createTokovoucherSupplier(
  { memberCode, secret, previousSecret, signature, level, baseUrl }: TokovoucherSettings,
  { clock = Date.now, warn }: Partial<Pick<ProviderHost, 'clock' | 'warn'>> = {},
): Supplier {
  const purchaseSecrets = withPrevious(secret, previousSecret);
  const http = createProviderHttp({
    title: 'Tokovoucher',
    baseUrl,
    secrets: [...purchaseSecrets, signature],
  });
  const readRows = createRowReader(http, warn);

  /** Sends a request. Only a response without an HTTP error is a certain rejection. After any other response, the outcome is unknown. */
  async function send(request: ProviderRequest): Promise<Response> {
    const { status, body } = await http.send(request);
    const { success, data } = rejection.safeParse(body);
    if (status >= 400) {
      const said = success ? `: ${data.error_msg}` : '.';
      throw http.error(`${request.method} /${request.path} got a response with status ${status}${said}`);
    }
    return success ? { rejected: data.error_msg } : { body };
  }

  async function read<Data>(schema: z.ZodMiniType<Data>, request: ProviderRequest): Promise<Data> {
    const about = `${request.method} /${request.path}`;
    const response = await send(request);
    if ('rejected' in response)
      throw http.error(
        `${about} was rejected: ${response.rejected.replace(/\.$/, '')}. ${adviceFor(response.rejected)}`,
      );
    const { success, data } = schema.safeParse(response.body);
    if (success) return data;
    throw http.error(`${about} got a response that can't be read.`);
  }

  async function readList(signal: AbortSignal) {
    const query = { member_code: memberCode, signature };
    const { data } = await read(listSchema, {
      method: 'GET',
      path: 'member/produk/full',
      query,
      maxBytes: maxListBytes,
      signal,
    });
    const products = supplierProducts(data, level, readRows);
    return { products, isComplete: products.length === data.produk.length };
  }

  const prices = createPriceCheck({ http, readList, clock });

  const signed = (reference: string) => ({
    ref_id: reference,
    member_code: memberCode,
    signature: referenceSignature({ memberCode, secret }, reference),
  });

  /** Returns the outcome of a purchase in a response; throws if it is not readable. */
  function outcomeIn(body: unknown, { reference }: PurchaseRequest): PurchaseResult {
    const { success, data } = transaction.safeParse(body);
    if (!success) throw http.error("the response can't be read. Look the purchase up at Tokovoucher.");
    if (data.ref_id !== reference)
      throw http.error('the response is about another purchase. Look this one up at Tokovoucher.');
    return outcomeOf(data);
  }

  function outcomeOf({ status, message, sn, trx_id: supplierId, price: cost }: Transaction): PurchaseResult {
    switch (outcomes[status.toLowerCase()]) {
      case 'bought':
        return { state: 'delivered', serialNumber: sn?.trim() ?? '', supplierId, cost };
      case 'pending':
        return { state: 'pending', supplierId, cost };
      case 'never': {
        // The reason may be in either field, or in both.
        const said = [message, sn].filter((part) => part?.trim()).join(', ');
        const reason = http.error(said || 'the purchase failed').message;
        return { state: 'failed', reason, ...failureIn(rejections, said), supplierId };
      }
      default:
        throw http.error('Topup Kit does not know the status of the purchase. Look it up at Tokovoucher.');
    }
  }

  async function buy(request: PurchaseRequest, signal: AbortSignal): Promise<PurchaseResult> {
    const { reference, productCode, target } = request;
    const json = {
      ...signed(reference),
      produk: productCode,
      tujuan: target.id,
      server_id: target.server ?? '',
    };
    const response = await send({ method: 'POST', path: 'v1/transaksi', json, signal });
    return 'rejected' in response
      ? rejectedPurchase({ http, table: rejections }, 'the purchase was rejected', response.rejected)
      : outcomeIn(response.body, request);
  }

  return {
    name: 'tokovoucher',
    sandbox: false,
    abilities: {
      findBy: 'reference',
      findOnlyReads: true,
      findIntervalMs,
      callbackFindIntervalMs,
      referenceLifetimeMs: null,
    },
    submit: async (request, signal) =>
      (await prices.check(request, signal)) ??
      // Its documentation says that a purchase is pending after any HTTP error.
      submitOrWait(() => buy(request, signal), { believesStatus: false }),
    /** An unknown purchase may be in flight, or may have been lost after its arrival, so an operator must look it up. */
    async find(request: FindPurchaseRequest, signal): Promise<PurchaseResult> {
      const json = signed(request.reference);
      const body = await read(z.unknown(), { method: 'POST', path: 'v1/transaksi/status', json, signal });
      return outcomeIn(body, request);
    },
    readProducts: prices.readProducts,
    async readBalance(signal) {
      const query = { member_code: memberCode, signature };
      const { data } = await read(member, { method: 'GET', path: 'member', query, signal });
      return Math.floor(data.saldo);
    },
    callbacks: createTokovoucherCallbacks(memberCode, purchaseSecrets),
  };
}
