import type { PurchaseRequest, PurchaseResult, Supplier } from '@topup-kit/core/supplier';
import * as z from 'zod/mini';
import { createProviderHttp, type ProviderRequest, withPrevious } from '../http.ts';
import type { ProviderHost } from '../provider.ts';
import { createRowReader, decimal } from '../readers.ts';
import { submitOrWait } from '../rejections.ts';
import { createDigiflazzCallbacks } from './callback.ts';
import { priceListSchema, productSchema, supplierProduct } from './price-list.ts';
import { makesTransaction, responseCodes } from './response-codes.ts';
import type { DigiflazzSettings } from './settings.ts';
import { balanceSubject, priceListSubject, requestSignature } from './signature.ts';
import { codeOf, resultOf, type Transaction, transactionSchema } from './transaction.ts';

/** Minimum time between look-ups. A repetition within a minute may buy again; the other minute is for a request that was long in flight. */
const findIntervalMs = 120_000;
/** Digiflazz buys again for a `ref_id` older than 90 days. The margin covers clocks that differ. */
const referenceLifetimeMs = 85 * 86_400_000;
/** Minimum time between two price lists. Digiflazz returns the whole list only once in five minutes per account. */
const priceListLimitMs = 5 * 60_000;
const productsIntervalMs = 2 * priceListLimitMs;
const maxPriceListBytes = 32 * 1_048_576;

const transactionResponse = z.object({ data: transactionSchema });
const balanceResponse = z.object({ data: z.object({ deposit: decimal }) });

/**
 * Creates the supplier Digiflazz.
 *
 * `find` sends the purchase again, and gets its status by the same `ref_id`. If the purchase never arrived, or has no transaction, this
 * request makes the purchase.
 */
export function createDigiflazzSupplier(
  { username, apiKey, webhookSecret, previousWebhookSecret, baseUrl }: DigiflazzSettings,
  { clock, warn }: Pick<ProviderHost, 'clock' | 'warn'>,
): Supplier {
  const sign = (subject: string): string => requestSignature(username, apiKey, subject);
  const constantSigns = [sign(priceListSubject), sign(balanceSubject)];
  const webhookSecrets = withPrevious(webhookSecret, previousWebhookSecret);
  const secrets = [apiKey, ...webhookSecrets, ...constantSigns];
  const http = createProviderHttp({ title: 'Digiflazz', baseUrl, secrets });
  const readRows = createRowReader(http, warn);

  function problemOf({ rc, status, message }: Transaction): Error {
    const code = responseCodes.get(rc ?? '');
    const text = (message || code?.text || 'no message').slice(0, 100);
    const said = `rc ${rc ?? 'none'}, status ${status ?? 'none'}, ${text}`;
    if (!code || !codeOf({ rc, status }))
      return http.error(`the response is unclear (${said}). Look the purchase up at Digiflazz.`);
    if (code.kind === 'operator')
      return http.error(
        `the request was rejected (${said}). ${code.advice} The server repeats the request automatically.`,
      );
    if (code.kind === 'later')
      return http.error(
        `Digiflazz can't carry out the request now (${said}). The server repeats it automatically.`,
        // Another user of the account may have requested the list at any time, but the limit ends after its full duration.
        rc === '83' ? { retryAfterMs: priceListLimitMs } : {},
      );
    if (code.kind === 'taken')
      return http.error(`the reference belongs to another purchase (${said}). Look it up at Digiflazz.`);
    return http.error(
      `a repeated request was rejected (${said}). The first request may still have bought something: ` +
        'look the purchase up at Digiflazz.',
    );
  }

  async function post<Response>(
    path: string,
    json: object,
    schema: z.ZodMiniType<Response>,
    options: Pick<ProviderRequest, 'signal' | 'maxBytes'>,
  ): Promise<Response> {
    const { status, body } = await http.send({ method: 'POST', path, json, ...options });
    if (status >= 500) throw http.error(`POST /${path} got a response with status ${status}.`);
    const { success, data } = schema.safeParse(body);
    if (success) return data;
    // If a request is not about a purchase, its error still has the form of a transaction.
    const error = transactionResponse.safeParse(body);
    if (error.success && error.data.data.rc !== undefined) throw problemOf(error.data.data);
    throw http.error(`POST /${path} got a response with status ${status} that can't be read.`, { status });
  }

  /** Throws if the response is about another purchase. These fields may be missing if there is no transaction. */
  function assertOurs(transaction: Transaction, { reference, productCode, target }: PurchaseRequest): void {
    const { rc = '', ref_id = makesTransaction(rc) ? undefined : reference } = transaction;
    const { customer_no = target.text, buyer_sku_code = productCode } = transaction;
    if (ref_id !== reference || customer_no !== target.text || buyer_sku_code !== productCode)
      throw http.error('the response is about another purchase. Look this one up at Digiflazz.');
  }

  async function transact(
    request: PurchaseRequest,
    channel: 'submit' | 'find',
    signal: AbortSignal,
  ): Promise<PurchaseResult> {
    const { reference, productCode, target, maxPrice } = request;
    const body = {
      username,
      buyer_sku_code: productCode,
      customer_no: target.text,
      ref_id: reference,
      sign: sign(reference),
      max_price: maxPrice,
    };
    const { data } = await post('transaction', body, transactionResponse, { signal });
    assertOurs(data, request);
    const result = resultOf(data, channel, http);
    if (result) return result;
    throw problemOf(data);
  }

  return {
    name: 'digiflazz',
    sandbox: false,
    abilities: { findBy: 'reference', findIntervalMs, referenceLifetimeMs },
    submit: (request, signal) =>
      submitOrWait(() => transact(request, 'submit', signal), { believesStatus: true }),
    find: (request, signal) => transact(request, 'find', signal),
    productsIntervalMs,
    async readProducts(signal) {
      const body = { cmd: 'prepaid', username, sign: sign(priceListSubject) };
      const { data } = await post('price-list', body, priceListSchema, {
        signal,
        maxBytes: maxPriceListBytes,
      });
      const now = clock();
      const list = { about: 'POST /price-list', name: 'buyer_sku_code' };
      return readRows(data, productSchema, list).map((product) => supplierProduct(product, now));
    },
    async readBalance(signal) {
      const body = { cmd: 'deposit', username, sign: sign(balanceSubject) };
      const { data } = await post('cek-saldo', body, balanceResponse, { signal });
      return Math.floor(data.deposit);
    },
    callbacks: createDigiflazzCallbacks(webhookSecrets, http),
  };
}
