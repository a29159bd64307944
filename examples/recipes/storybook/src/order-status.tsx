import { useEffect, useState } from 'react';

interface Order {
  product: string;
  payment_status: string;
  buy_status: string;
  qr_image_url?: string;
  serial_number?: string;
  refund_amount?: number;
}

/** Represents your app. It needs only the path of the service; nothing in it depends on the mock. */
async function readOrder(orderId: string): Promise<Order> {
  const response = await fetch(`/api/invoice/${orderId}`, { headers: { Accept: 'application/json' } });
  const body = await response.json();
  if (!response.ok) throw new Error(body.message);
  return body.order;
}

function describe({ payment_status, buy_status, serial_number, refund_amount }: Order): string {
  if (payment_status === 'UNPAID') return 'Waiting for your payment';
  if (payment_status === 'EXPIRED') return 'Expired';
  if (payment_status === 'FAILED') return 'The payment failed';
  if (payment_status === 'REFUND') return `Refunded: Rp ${refund_amount?.toLocaleString('id-ID')}`;
  if (buy_status === 'Sukses') return 'Delivered';
  if (buy_status === 'Proses') return 'Paid, on its way';
  return serial_number ? 'A part could not be delivered' : 'It could not be delivered';
}

export function OrderStatus({ orderId }: { orderId: string }) {
  const [order, setOrder] = useState<Order>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    const read = () => readOrder(orderId).then(setOrder, (error: Error) => setFailure(error.message));
    void read();
    const timer = setInterval(read, 1_000);
    return () => clearInterval(timer);
  }, [orderId]);
  if (failure !== undefined) return <p role="alert">{failure}</p>;
  if (!order) return <p>Loading</p>;
  return (
    <article>
      <h1>{order.product}</h1>
      <p role="status">{describe(order)}</p>
      {order.payment_status === 'UNPAID' && <img src={order.qr_image_url} alt="QR code" width="200" />}
      {order.serial_number && <code>{order.serial_number}</code>}
    </article>
  );
}
