import { useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { Screen } from '../components/screen.tsx';
import { useOrderBook } from '../orders/placed-orders.ts';
import { paths } from '../router.ts';
import { rupiah } from '../texts/format.ts';
import { useWords } from '../texts/use-texts.ts';
import type { Action } from './session.ts';
import type { SandboxWorld } from './world.ts';

/** Stands for the page of an e-wallet, which is not the shop's: it pays, or refuses to. */
export function Wallet({ world, reference }: { world: SandboxWorld; reference: string }) {
  const { sandbox, invoice } = useWords();
  const [said, setSaid] = useState('');
  const placed = useOrderBook().find(({ order }) => order.payment_reference === reference);
  const act = (action: Action, words: string) =>
    placed &&
    world.act(action, placed.order.order_id).then(
      () => setSaid(words),
      (error: unknown) => setSaid(String(error)),
    );
  return (
    <Screen title={sandbox.wallet} name="wallet">
      <section className="step wallet">
        <Icon name="flask" />
        <h1 tabIndex={-1}>{placed ? sandbox.wallet : invoice.missing}</h1>
        {placed && (
          <>
            <p>
              {placed.method}: <strong>{rupiah(placed.order.total_price)}</strong>
            </p>
            <p role="status">{said}</p>
            {!said && (
              <div className="wallet-actions">
                <button type="button" className="button-main" onClick={() => act('pay', sandbox.paid)}>
                  {sandbox.pay}
                </button>
                <button type="button" className="button" onClick={() => act('fail', sandbox.refused)}>
                  {sandbox.refuse}
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
