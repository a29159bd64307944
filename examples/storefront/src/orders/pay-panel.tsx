import { CopyButton } from '../parts/copy-button.tsx';
import { useWords } from '../words/use-words.ts';
import type { OrderView } from './order-view.ts';

/** How to pay: a picture to scan, a page to go to, or a code to type. */
export function PayPanel({ view }: { view: OrderView }) {
  const { payment } = useWords();
  if (view.qrUrl)
    return (
      <>
        <p>{payment.payWithQr}</p>
        <img className="qr" src={view.qrUrl} alt={payment.qr} width="240" height="240" />
        <details className="as-text">
          <summary>{payment.qrAsText}</summary>
          <p className="code code-small">{view.code}</p>
          <CopyButton text={view.code} of={payment.qrAsText} />
        </details>
      </>
    );
  // An e-wallet's code is the address of the page that one pays on.
  if (URL.canParse(view.code) || view.code === view.paymentUrl)
    return (
      <>
        <p>{payment.redirect(view.method)}</p>
        <a className="button-main" href={view.paymentUrl}>
          {payment.open(view.method)}
        </a>
      </>
    );
  return (
    <>
      <p>{payment.payWithCode(view.method)}</p>
      <p className="code">{view.codeForPeople}</p>
      <CopyButton text={view.code} of={payment.code} />
      {view.pricing.unique_code > 0 && <p className="hint">{payment.exactly}</p>}
    </>
  );
}
