import {
  type GameWithCategory,
  type GetCheckoutResponse,
  isTopupError,
  type RequestOptions,
} from '@topup-kit/sdk';
import { CheckoutForm } from '../checkout/checkout-form.tsx';
import { client } from '../client.ts';
import { Icon } from '../components/icon.tsx';
import { LoadError } from '../components/load-error.tsx';
import { Picture } from '../components/picture.tsx';
import { Screen } from '../components/screen.tsx';
import { paths } from '../router.ts';
import { useTexts } from '../texts/use-texts.ts';
import { useQuery } from '../use-query.ts';

/** Game with its checkout, which is optional for a service (interface 4.3). */
interface GamePage {
  game: Pick<GameWithCategory, 'title' | 'developers' | 'category' | 'banner' | 'description'>;
  checkout?: GetCheckoutResponse;
}

const hasNoCheckout = (error: unknown): boolean =>
  isTopupError(error) && error.name === 'TopupHttpError' && [404, 405].includes(error.status);

/**
 * Loads a game with its checkout, or from the catalogue if the service has no checkout. Returns `unknown` if the service
 * has no such game.
 */
async function loadGame(slug: string, options: RequestOptions): Promise<GamePage | 'unknown'> {
  try {
    const checkout = await client.checkout.get(slug, options);
    return { game: checkout.game, checkout };
  } catch (error) {
    if (isTopupError(error, 'GAME_NOT_FOUND')) return 'unknown';
    if (!hasNoCheckout(error)) throw error;
    const { games } = await client.games.list(options);
    const game = games.find((listed) => listed.slug === slug);
    return game ? { game } : 'unknown';
  }
}

function UnknownGame({ slug }: { slug: string }) {
  const { unknownGame, catalogue } = useTexts();
  return (
    <Screen title={unknownGame.title} name="unknown">
      <div className="empty">
        <h1 tabIndex={-1}>{unknownGame.title}</h1>
        <p>{unknownGame.text(slug)}</p>
        <a className="button" href={paths.catalogue}>
          {catalogue.clear}
        </a>
      </div>
    </Screen>
  );
}

/** Renders the page of a game with its order form. */
export function CheckoutScreen({ slug }: { slug: string }) {
  const texts = useTexts();
  const { result, retry } = useQuery(`checkout ${slug}`, (signal) => loadGame(slug, { signal }));
  if (result.state === 'ready' && result.data === 'unknown') return <UnknownGame slug={slug} />;
  const { game, checkout } = result.state === 'ready' && result.data !== 'unknown' ? result.data : {};
  const title = game?.title ?? (result.state === 'loading' ? texts.loading : texts.notLoaded);
  return (
    <Screen title={title} name="checkout">
      <div className="game-head">
        {game && <Picture className="game-banner" src={game.banner} />}
        <div className="game-head-row">
          <a className="back" href={paths.catalogue}>
            <Icon name="left" />
            <span className="hidden">{texts.back}</span>
          </a>
          <div>
            <h1 tabIndex={-1}>{title}</h1>
            <p>{game ? `${game.developers} · ${game.category.title}` : ' '}</p>
          </div>
        </div>
      </div>
      {result.state === 'loading' && <div className="panel-placeholder" aria-hidden="true" />}
      {result.state === 'failed' && <LoadError error={result.error} retry={retry} />}
      {checkout && <CheckoutForm key={slug} response={checkout} />}
      {game && !checkout && (
        <>
          <div className="notice" role="status">
            <Icon name="clock" />
            <p>{texts.checkout.notOffered}</p>
          </div>
          <p>{game.description}</p>
          <a className="button" href={paths.catalogue}>
            {texts.catalogue.clear}
          </a>
        </>
      )}
    </Screen>
  );
}
