import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type GatewayName,
  gatewayNames,
  type ProviderName,
  type SupplierName,
  supplierNames,
} from '@topup-kit/providers/registry';
import { startSimulators } from '@topup-kit/simulators';
import * as z from 'zod/mini';

export type { GatewayName, SupplierName };

export interface Pair {
  gateway: GatewayName;
  supplier: SupplierName;
}

const paymentBooks = z.object({
  payments: z.array(
    z.object({
      /** Reference at Tripay. */
      reference: z.optional(z.string()),
      merchant_ref: z.optional(z.string()),
      /** Reference at Midtrans, and Duitku's name for the order. */
      transaction_id: z.optional(z.string()),
      order_id: z.optional(z.string()),
      paid_amounts: z.array(z.int()),
      refunded: z.int(),
      /** Fee of each payment, at a gateway that reports it. */
      fee: z.optional(z.int()),
    }),
  ),
  charged: z.int(),
});

const supplierBooks = z.object({
  /** Purchases at Digiflazz and Tokovoucher, whose statuses differ in upper and lower case. */
  purchases: z.optional(
    z.array(
      z.object({
        ref_id: z.string(),
        status: z.pipe(
          z.string(),
          z.transform((text) => text.toLowerCase()),
        ),
        sn: z.string(),
        price: z.int(),
      }),
    ),
  ),
  /** Orders at VIP Reseller. */
  orders: z.optional(
    z.array(
      z.object({ trxid: z.string(), status: z.string(), note: z.string(), data: z.string(), price: z.int() }),
    ),
  ),
});

/** Payment that a gateway received for an order. */
export interface Paid {
  reference: string;
  orderId: string;
  amounts: number[];
  /** Amount that the gateway has refunded. */
  refunded: number;
  /** Fee that the gateway keeps of each payment; 0 at a gateway that reports none. */
  fee: number;
}

/** Item that a supplier sold and was paid for. */
export interface Bought {
  supplier: SupplierName;
  /** Our reference at suppliers that store it, and the supplier's own id at others. */
  reference: string;
  serialNumber: string;
  price: number;
  isDone: boolean;
}

/** Starts simulators whose time advances only when a test advances it. `receive` handles the callbacks that they send. */
export async function startSimulatedProviders(
  start: number,
  receive: (
    path: string,
    request: { headers: Headers; body: Uint8Array<ArrayBuffer> },
  ) => Promise<Response | null>,
) {
  const shop = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string') headers.set(name, value);
    const received = await receive(request.url ?? '', {
      headers,
      body: Uint8Array.from(Buffer.concat(chunks)),
    });
    if (!received) return void request.socket.destroy();
    response.writeHead(received.status, Object.fromEntries(received.headers)).end(await received.text());
  });
  await once(shop.listen(0, '127.0.0.1'), 'listening');
  const { port } = shop.address() as AddressInfo; // Safe: it listens on a port.
  const shopUrl = `http://127.0.0.1:${port}`;
  const simulators = await startSimulators({
    port: 0,
    now: () => start,
    callbackUrls: Object.fromEntries([
      ...gatewayNames.map((name) => [name, `${shopUrl}/callback/${name}`]),
      ...supplierNames.map((name) => [name, `${shopUrl}/${name}/webhook`]),
    ]),
  });

  async function control(path: string, input?: object, method = 'POST'): Promise<unknown> {
    const response = await fetch(`${simulators.url}/control/${path}`, {
      method: input ? method : 'GET',
      ...(input && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(input) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`control/${path}: ${text}`);
    return JSON.parse(text);
  }

  const providerOf = (name: ProviderName) => {
    const found = simulators.providers.find((one) => one.name === name);
    if (!found) throw new Error(`There is no simulator of ${name}.`);
    return found;
  };

  return {
    control,
    baseUrl: (name: ProviderName): string => providerOf(name).baseUrl,
    /** Returns the settings of a provider by their names. */
    credentials: (name: ProviderName): Readonly<Record<string, string>> => providerOf(name).credentials,

    async paid(gateway: GatewayName): Promise<Paid[]> {
      const { payments } = paymentBooks.parse(await control(`books/${gateway}`));
      return payments.map((one) => ({
        reference: one.reference ?? one.transaction_id ?? '',
        orderId: one.merchant_ref ?? one.order_id ?? '',
        amounts: one.paid_amounts,
        refunded: one.refunded,
        fee: one.fee ?? 0,
      }));
    },

    /** Returns the items that are sold or about to be, without failed ones, whose price is refunded. */
    async bought(supplier: SupplierName): Promise<Bought[]> {
      const { purchases = [], orders = [] } = supplierBooks.parse(await control(`books/${supplier}`));
      return [
        ...purchases
          .filter(({ status }) => status !== 'gagal')
          .map(({ ref_id, sn, status, price }) => ({
            price,
            supplier,
            reference: ref_id,
            serialNumber: sn,
            isDone: status === 'sukses',
          })),
        ...orders
          .filter(({ status }) => status !== 'error')
          .map(({ trxid, note, status, price }) => ({
            price,
            supplier,
            reference: trxid,
            serialNumber: note,
            isDone: status === 'success',
          })),
      ];
    },

    /** Returns every purchase, including failed ones: by `ref_id`, or by VIP Reseller's `trxid`. */
    async purchases(supplier: SupplierName): Promise<string[]> {
      const { purchases = [], orders = [] } = supplierBooks.parse(await control(`books/${supplier}`));
      return [...purchases.map(({ ref_id }) => ref_id), ...orders.map(({ trxid }) => trxid)];
    },

    async [Symbol.asyncDispose]() {
      await simulators.close();
      shop.closeAllConnections();
      await once(shop.close(), 'close');
    },
  };
}

export type SimulatedProviders = Awaited<ReturnType<typeof startSimulatedProviders>>;
