import { CheckoutForm } from '../checkout/checkout-form.tsx';
import { readGame } from '../checkout/read-game.ts';
import { Icon } from '../parts/icon.tsx';
import { Picture } from '../parts/picture.tsx';
import { Screen } from '../parts/screen.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { paths } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import { useWords } from '../words/use-words.ts';

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
