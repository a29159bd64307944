import { isTopupError } from '@topup-kit/sdk';
import { Icon } from '../components/icon.tsx';
import { LoadError } from '../components/load-error.tsx';
import { paths } from '../router.ts';
import { useTexts } from '../texts/use-texts.ts';
import { refreshOrders } from './use-order.ts';

const isNotFound = (error: unknown): boolean =>
  isTopupError(error, 'STATUS_UNAVAILABLE') ||
  (isTopupError(error) && error.name === 'TopupHttpError' && error.status === 404);

/** Renders a placeholder for an order that is still loading, doesn't exist, or can't be loaded. */
export function OrderPlaceholder({ isLoaded, error }: { isLoaded: boolean; error: unknown }) {
  const texts = useTexts();
  if (error === undefined || !isLoaded)
    return (
      <div role="status">
        <span className="hidden">{texts.loading}</span>
        <div className="panel-placeholder" aria-hidden="true" />
      </div>
    );
  if (!isNotFound(error)) return <LoadError error={error} retry={refreshOrders} />;
  return (
    <div className="load-error" role="alert">
      <Icon name="search" />
      <p>
        <strong>{texts.invoice.notFound}</strong>
        <br />
        {texts.invoice.notFoundHint}
      </p>
      <a className="button" href={paths.orders}>
        {texts.orders.find}
      </a>
    </div>
  );
}
