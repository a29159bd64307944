import {
  type FailureReason,
  type GetInvoiceResponse,
  isTopupError,
  type PaymentState,
  type Pricing,
} from '@topup-kit/sdk';
import { useEffect, useState } from 'react';
import { client } from '../client.ts';
import { createSignal } from '../signal.ts';
import { type PlacedOrder, usePlacedOrders } from './placed-orders.ts';

/** Order as the payment and invoice screens show it. It comes from this device or from the invoice. */
export interface OrderView {
  orderId: string;
  slug: string;
  game: string;
  product: string;
  productImage: string;
  account: string;
  method: string;
  /** QR payload, account number or address with which the customer pays. */
  code: string;
  displayCode: string;
  qrUrl: string | null;
  paymentUrl: string;
  /** Expiry in unix milliseconds. */
  expiresAt: number;
  placedAt: number;
  serialNumber: string | undefined;
  /** Reason why the delivery failed, if the service reports it. */
  failureReason: FailureReason | undefined;
  pricing: Pricing;
}

export const accountText = (id: string, server: string | null | undefined): string =>
  server ? `${id} (${server})` : id;

const groupDigits = (code: string): string =>
  /^\d+$/.test(code) ? code.replace(/\d{4}(?=\d)/g, '$& ') : code;

/**
 * Converts the response to an order, which contains everything for a payment, so that the shop also works on a service without invoices.
 * Undefined for an incomplete entry.
 */
function viewFromPlacedOrder({ order, method, placedAt, ...placed }: PlacedOrder): OrderView | undefined {
  if (method === undefined || placedAt === undefined) return undefined;
  return {
    ...placed,
    method,
    placedAt,
    orderId: order.order_id,
    code: order.payment_code,
    displayCode: groupDigits(order.payment_code),
    qrUrl: order.qr_url,
    paymentUrl: order.payment_url,
    expiresAt: Date.parse(order.expired_at),
    serialNumber: undefined,
    failureReason: undefined,
    pricing: order.pricing,
  };
}

const viewFromInvoice = ({ order, game, product }: GetInvoiceResponse): OrderView => ({
  orderId: order.order_id,
  slug: game.slug,
  game: order.games,
  product: order.product,
  productImage: product.image,
  account: accountText(order.id_games, order.server_games),
  method: order.payment_name,
  code: order.payment_code,
  displayCode: order.payment_code_display,
  qrUrl: order.qr_image_url ?? null,
  paymentUrl: order.payment_url,
  expiresAt: order.expired_time * 1_000,
  placedAt: Date.parse(order.created_at),
  serialNumber: order.serial_number,
  failureReason: order.failure_reason,
  pricing: order.pricing,
});

/**
 * Returns the details of an order, first from this device, and then from its invoice. `isLoaded` is true when the invoice request has
 * ended. A new `version` loads the invoice again, because a delivered order has a serial number.
 */
export function useOrder(orderId: string, version: string | undefined) {
  const placed = usePlacedOrders().find(({ order }) => order.order_id === orderId);
  const [latest, setLatest] = useState<{ orderId: string; view?: OrderView }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is a new invoice
  useEffect(() => {
    const unmounted = new AbortController();
    client.invoices.get(orderId, { signal: unmounted.signal }).then(
      (invoice) => setLatest({ orderId, view: viewFromInvoice(invoice) }),
      () => {
        if (!unmounted.signal.aborted)
          setLatest((before) => (before?.orderId === orderId ? before : { orderId }));
      },
    );
    return () => unmounted.abort();
  }, [orderId, version]);
  const loaded = latest?.orderId === orderId ? latest : undefined;
  return { view: loaded?.view ?? (placed && viewFromPlacedOrder(placed)), isLoaded: loaded !== undefined };
}

const refreshes = createSignal(0);

/** Makes every shown order request its state immediately. */
export const refreshOrders = (): void => refreshes.set(refreshes.get() + 1);

addEventListener('online', refreshOrders);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) refreshOrders();
});

/** Maximum time to wait, in milliseconds: longer than any payment can take. */
const timeoutMs = 48 * 60 * 60_000;

/** Returns the state of an order, kept up to date until it is final. */
export function useOrderState(orderId: string) {
  const [latest, setLatest] = useState<{ orderId: string; state?: PaymentState; error?: unknown }>({
    orderId,
  });
  const refresh = refreshes.use();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refresh starts a new request
  useEffect(() => {
    const unmounted = new AbortController();
    client.orders
      .waitFor(orderId, {
        timeout: timeoutMs,
        signal: unmounted.signal,
        onUpdate: (state) => setLatest({ orderId, state }),
      })
      .catch((error: unknown) => {
        if (!isTopupError(error, 'ABORTED'))
          setLatest(({ state }) => ({ orderId, ...(state && { state }), error }));
      });
    return () => unmounted.abort();
  }, [orderId, refresh]);
  return latest.orderId === orderId ? latest : { orderId };
}
