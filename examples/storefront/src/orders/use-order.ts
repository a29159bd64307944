import { type InvoiceAnswer, isTopupError, type PaymentState, type Pricing } from '@topup-kit/sdk';
import { useEffect, useState } from 'react';
import { client } from '../client.ts';
import { createSignal } from '../signal.ts';
import { type PlacedOrder, useOrderBook } from './placed-orders.ts';

/** An order as the payment and invoice screens show it, whichever source it came from. */
export interface OrderView {
  orderId: string;
  slug: string;
  game: string;
  product: string;
  productImage: string;
  account: string;
  method: string;
  /** What is paid to. */
  code: string;
  codeForPeople: string;
  qrUrl: string | null;
  paymentUrl: string;
  /** Unix milliseconds. */
  expiresAt: number;
  placedAt: number;
  serialNumber: string | undefined;
  pricing: Pricing;
}

export const accountText = (id: string, server: string | null | undefined): string =>
  server ? `${id} (${server})` : id;

const grouped = (code: string): string => (/^\d+$/.test(code) ? code.replace(/\d{4}(?=\d)/g, '$& ') : code);

/** All that a payment needs is in the answer to the order, so a service without invoices will do. */
const viewOfPlaced = ({ order, ...placed }: PlacedOrder): OrderView => ({
  ...placed,
  orderId: order.order_id,
  code: order.payment_code,
  codeForPeople: grouped(order.payment_code),
  qrUrl: order.qr_url,
  paymentUrl: order.payment_url,
  expiresAt: Date.parse(order.expired_at),
  serialNumber: undefined,
  pricing: order.pricing,
});

const viewOfInvoice = ({ order, game, product }: InvoiceAnswer): OrderView => ({
  orderId: order.order_id,
  slug: game.slug,
  game: order.games,
  product: order.product,
  productImage: product.image,
  account: accountText(order.id_games, order.server_games),
  method: order.payment_name,
  code: order.payment_code,
  codeForPeople: order.payment_code_display,
  qrUrl: order.qr_image_url ?? null,
  paymentUrl: order.payment_url,
  expiresAt: order.expired_time * 1_000,
  placedAt: Date.parse(order.created_at),
  serialNumber: order.serial_number,
  pricing: order.pricing,
});

/**
 * An order's details: from this device at once, from its invoice as soon as that is there. `settled` says that nothing
 * more is coming. The invoice is read anew with each `version`, as it gains a serial number.
 */
export function useOrder(orderId: string, version: string | undefined) {
  const placed = useOrderBook().find(({ order }) => order.order_id === orderId);
  const [read, setRead] = useState<{ orderId: string; view?: OrderView }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version is another invoice
  useEffect(() => {
    const leave = new AbortController();
    client.invoices.get(orderId, { signal: leave.signal }).then(
      (answer) => setRead({ orderId, view: viewOfInvoice(answer) }),
      () => {
        if (!leave.signal.aborted) setRead((before) => (before?.orderId === orderId ? before : { orderId }));
      },
    );
    return () => leave.abort();
  }, [orderId, version]);
  const own = read?.orderId === orderId ? read : undefined;
  return { view: own?.view ?? (placed && viewOfPlaced(placed)), settled: own !== undefined };
}

const wakes = createSignal(0);

/** Makes whatever waits for news ask at once. */
export const wake = (): void => wakes.set(wakes.get() + 1);

const useWakes = wakes.use;

addEventListener('online', wake);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) wake();
});

/** No payment may take longer (milliseconds). */
const longest = 48 * 60 * 60_000;

/** The order's state, kept up to date for as long as something can change. */
export function useOrderState(orderId: string) {
  const [seen, setSeen] = useState<{ orderId: string; state?: PaymentState; error?: unknown }>({ orderId });
  const wakes = useWakes();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a wake asks anew
  useEffect(() => {
    const leave = new AbortController();
    client.orders
      .waitFor(orderId, {
        timeout: longest,
        signal: leave.signal,
        onUpdate: (state) => setSeen({ orderId, state }),
      })
      .catch((error: unknown) => {
        if (!isTopupError(error, 'ABORTED'))
          setSeen(({ state }) => ({ orderId, ...(state && { state }), error }));
      });
    return () => leave.abort();
  }, [orderId, wakes]);
  return seen.orderId === orderId ? seen : { orderId };
}
