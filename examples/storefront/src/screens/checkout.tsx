import {
  type CheckoutAnswer,
  type GameWithCategory,
  isTopupError,
  type RequestOptions,
} from '@topup-kit/sdk';
import { CheckoutForm } from '../checkout/checkout-form.tsx';
import { client } from '../client.ts';
import { Icon } from '../components/icon.tsx';
import { Trouble } from '../components/load-error.tsx';
import { Picture } from '../components/picture.tsx';
import { Screen } from '../components/screen.tsx';
import { paths } from '../router.ts';
import { useWords } from '../texts/use-texts.ts';
import { useAnswer } from '../use-query.ts';

/** A game, and what is needed to order it; a service may have a catalogue and no checkout (interface 4.3). */
interface GamePage {
  game: Pick<GameWithCategory, 'title' | 'developers' | 'category' | 'banner' | 'description'>;
  checkout?: CheckoutAnswer;
}

const hasNoCheckout = (error: unknown): boolean =>
  isTopupError(error) &&
  error.name === 'TopupHttpError' &&
  [404, 405].includes(error.status) &&
  error.code !== 'GAME_NOT_FOUND';

/** Reads what the page of a game shows: of a service without checkouts, what its catalogue tells. */
async function readGame(slug: string, options: RequestOptions): Promise<GamePage> {
  try {
    const checkout = await client.checkout.get(slug, options);
    return { game: checkout.game, checkout };
  } catch (error) {
    if (!hasNoCheckout(error)) throw error;
    const { games } = await client.games.list(options);
    const game = games.find((one) => one.slug === slug);
    if (!game) throw error;
    return { game };
  }
}

/** All of a game's page: what it is, and the way to an order. */
export function CheckoutScreen({ slug }: { slug: string }) {
  const words = useWords();
  const { answer, again } = useAnswer(`checkout ${slug}`, (signal) => readGame(slug, { signal }));
  const { game, checkout } = answer.state === 'ready' ? answer.data : {};
  const title = game?.title ?? (answer.state === 'loading' ? words.loading : words.notLoaded);
  return (
    <Screen title={title} name="checkout">
      <div className="game-head">
        {game && <Picture className="game-banner" src={game.banner} />}
        <div className="game-head-row">
          <a className="back" href={paths.catalogue}>
            <Icon name="left" />
            <span className="hidden">{words.back}</span>
          </a>
          <div>
            <h1 tabIndex={-1}>{title}</h1>
            <p>{game ? `${game.developers} · ${game.category.title}` : ' '}</p>
          </div>
        </div>
      </div>
      {answer.state === 'loading' && <div className="panel-waiting" aria-hidden="true" />}
      {answer.state === 'failed' && <Trouble error={answer.error} again={again} />}
      {checkout && <CheckoutForm key={slug} answer={checkout} />}
      {game && !checkout && (
        <>
          <div className="notice" role="status">
            <Icon name="clock" />
            <p>{words.checkout.notOffered}</p>
          </div>
          <p>{game.description}</p>
          <a className="button" href={paths.catalogue}>
            {words.catalogue.clear}
          </a>
        </>
      )}
    </Screen>
  );
}
