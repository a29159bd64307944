import { useEffect, useState } from 'react';
import { client } from '../client.ts';
import { useOrderBook } from './order-book.ts';
import { type OrderView, viewOfInvoice, viewOfPlaced } from './order-view.ts';

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
