import { useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { Screen } from '../components/screen.tsx';
import { usePlacedOrders } from '../orders/placed-orders.ts';
import { paths } from '../router.ts';
import { rupiah } from '../texts/format.ts';
import { useTexts } from '../texts/use-texts.ts';
import type { Action } from './session.ts';
import type { SandboxWorld } from './world.ts';

/** Replaces the page of an e-wallet, where the customer pays or declines. */
export function Wallet({ world, reference }: { world: SandboxWorld; reference: string }) {
  const { sandbox, invoice } = useTexts();
  const [message, setMessage] = useState('');
  const placed = usePlacedOrders().find(({ order }) => order.payment_reference === reference);
  const act = (action: Action, confirmation: string) =>
    placed &&
    world.act(action, placed.order.order_id).then(
      () => setMessage(confirmation),
      (error: unknown) => setMessage(String(error)),
    );
  return (
    <Screen title={sandbox.wallet} name="wallet">
      <section className="step wallet">
        <Icon name="flask" />
        <h1 tabIndex={-1}>{placed ? sandbox.wallet : invoice.notFound}</h1>
        {placed && (
          <>
            <p>
              {placed.method}: <strong>{rupiah(placed.order.total_price)}</strong>
            </p>
            <p role="status">{message}</p>
            {!message && (
              <div className="wallet-actions">
                <button type="button" className="button-main" onClick={() => act('pay', sandbox.paid)}>
                  {sandbox.pay}
                </button>
                <button type="button" className="button" onClick={() => act('fail', sandbox.declined)}>
                  {sandbox.decline}
                </button>
              </div>
            )}
            <a className="button" href={paths.invoice(placed.order.order_id)}>
              {sandbox.toShop}
            </a>
          </>
        )}
      </section>
    </Screen>
  );
}
