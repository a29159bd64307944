import { isTopupError } from '@topup-kit/sdk';
import { Icon } from '../components/icon.tsx';
import { Trouble } from '../components/load-error.tsx';
import { paths } from '../router.ts';
import { useWords } from '../texts/use-texts.ts';
import { wake } from './use-order.ts';

const isMissing = (error: unknown): boolean =>
  isTopupError(error, 'STATUS_UNAVAILABLE') ||
  (isTopupError(error) && error.name === 'TopupHttpError' && error.status === 404);

/** In place of an order: it is on its way, there is none, or it can't be asked for. */
export function OrderMissing({ settled, error }: { settled: boolean; error: unknown }) {
  const words = useWords();
  if (error === undefined || !settled)
    return (
      <div role="status">
        <span className="hidden">{words.loading}</span>
        <div className="panel-waiting" aria-hidden="true" />
      </div>
    );
  if (!isMissing(error)) return <Trouble error={error} again={wake} />;
  return (
    <div className="trouble" role="alert">
      <Icon name="search" />
      <p>
        <strong>{words.invoice.missing}</strong>
        <br />
        {words.invoice.missingHint}
      </p>
      <a className="button" href={paths.orders}>
        {words.orders.find}
      </a>
    </div>
  );
}
