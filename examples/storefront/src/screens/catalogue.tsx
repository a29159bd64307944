import type { Category, Game, GameListAnswer } from '@topup-kit/sdk';
import { client } from '../client.ts';
import { Icon } from '../components/icon.tsx';
import { Trouble } from '../components/load-error.tsx';
import { Picture } from '../components/picture.tsx';
import { Screen } from '../components/screen.tsx';
import { catalogueWith, paths, replace } from '../router.ts';
import { useWords } from '../texts/use-texts.ts';
import { useAnswer } from '../use-query.ts';

type Narrowed = { category: number | undefined; search: string };

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();

const matches = (game: Game, { category, search }: Narrowed): boolean =>
  (category === undefined || game.category_id === category) &&
  [game.title, game.brand, game.developers].some((text) => plain(text).includes(plain(search)));

const categoriesOf = (games: GameListAnswer['games']): Category[] =>
  [...new Map(games.map(({ category }) => [category.id, category])).values()].sort((a, b) => a.id - b.id);

function GameCard({ game }: { game: Game }) {
  const { catalogue } = useWords();
  return (
    <li className={game.status ? 'game' : 'game game-closed'}>
      <a href={paths.game(game.slug)}>
        <Picture className="game-picture" src={game.image} />
        <span className="game-title">{game.title}</span>
        <span className="game-maker">{game.status ? game.developers : catalogue.closed}</span>
      </a>
    </li>
  );
}

function Popular({ games }: { games: readonly Game[] }) {
  const { catalogue } = useWords();
  return (
    <section aria-labelledby="popular">
      <h2 id="popular">{catalogue.popular}</h2>
      <ul className="popular">
        {games.map((game) => (
          <li key={game.id}>
            <a href={paths.game(game.slug)}>
              <Picture className="popular-picture" src={game.banner} />
              <span className="hidden">{game.title}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Games({ answer, narrowed }: { answer: GameListAnswer; narrowed: Narrowed }) {
  const { catalogue } = useWords();
  const found = answer.games.filter((game) => matches(game, narrowed));
  const isWhole = narrowed.category === undefined && !narrowed.search;
  const choose = (category: number | undefined) => replace(catalogueWith(category, narrowed.search));
  return (
    <>
      {isWhole && answer.populerGames.length > 0 && <Popular games={answer.populerGames} />}
      <section aria-labelledby="all">
        <div className="section-head">
          <h2 id="all">{catalogue.all}</h2>
          <p role="status">{catalogue.found(found.length)}</p>
        </div>
        <fieldset className="chips">
          <legend className="hidden">{catalogue.categories}</legend>
          <Chip on={narrowed.category === undefined} choose={() => choose(undefined)}>
            {catalogue.everything}
          </Chip>
          {categoriesOf(answer.games).map(({ id, title }) => (
            <Chip key={id} on={narrowed.category === id} choose={() => choose(id)}>
              {title}
            </Chip>
          ))}
        </fieldset>
        {found.length > 0 ? (
          <ul className="games">
            {found.map((game) => (
              <GameCard key={game.id} game={game} />
            ))}
          </ul>
        ) : (
          <div className="empty">
            <p>{narrowed.search ? catalogue.none(narrowed.search) : catalogue.nothing}</p>
            {!isWhole && (
              <button type="button" className="button" onClick={() => replace(paths.catalogue)}>
                {catalogue.clear}
              </button>
            )}
          </div>
        )}
      </section>
    </>
  );
}

const Chip = (props: { on: boolean; choose: () => void; children: string }) => (
  <label className="chip">
    <input type="radio" name="category" className="hidden" checked={props.on} onChange={props.choose} />
    <span>{props.children}</span>
  </label>
);

const places = Array.from({ length: 12 }, (_, place) => place);

const Waiting = ({ words }: { words: string }) => (
  <div role="status">
    <span className="hidden">{words}</span>
    <div className="games" aria-hidden="true">
      {places.map((place) => (
        <div key={place} className="game-waiting" />
      ))}
    </div>
  </div>
);

export function CatalogueScreen(narrowed: Narrowed) {
  const words = useWords();
  const { answer, again } = useAnswer('games', (signal) => client.games.list({ signal }));
  const { catalogue } = words;
  return (
    <Screen title={catalogue.all} name="catalogue">
      <search className="hero">
        <h1 tabIndex={-1}>{catalogue.title}</h1>
        <p className="hero-lead">{catalogue.lead}</p>
        <label className="search">
          <Icon name="search" />
          <span className="hidden">{catalogue.search}</span>
          <input
            type="search"
            autoComplete="off"
            placeholder={catalogue.searchHint}
            value={narrowed.search}
            onChange={({ target }) => replace(catalogueWith(narrowed.category, target.value))}
          />
        </label>
      </search>
      {answer.state === 'loading' && <Waiting words={words.loading} />}
      {answer.state === 'failed' && <Trouble error={answer.error} again={again} />}
      {answer.state === 'ready' && <Games answer={answer.data} narrowed={narrowed} />}
    </Screen>
  );
}
