import { client } from '../client.ts';
import { useNow } from '../clock.ts';
import { faceOf } from '../orders/face.ts';
import { useOrderBook } from '../orders/order-book.ts';
import { Icon } from '../parts/icon.tsx';
import { paths } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import { useWords } from '../words/use-words.ts';

/** Leads whoever came back from paying to the order that waits, before there are two. */
export function UnpaidNote({ slug }: { slug: string }) {
  const moment = useNow();
  const last = useOrderBook().find((placed) => placed.slug === slug);
  if (!last || Date.parse(last.order.expired_at) <= moment) return null;
  return <WhenUnpaid orderId={last.order.order_id} />;
}

function WhenUnpaid({ orderId }: { orderId: string }) {
  const { checkout } = useWords();
  const { answer } = useAnswer(`state ${orderId}`, (signal) =>
    client.invoices.paymentStatus(orderId, { signal }),
  );
  if (answer.state !== 'ready' || faceOf(answer.data.data) !== 'waiting') return null;
  return (
    <div className="notice">
      <Icon name="clock" />
      <p>
        {checkout.unpaid} <a href={paths.payment(orderId)}>{checkout.payIt}</a>
      </p>
    </div>
  );
}
