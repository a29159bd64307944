import type { Category, Game, ListGamesResponse } from '@topup-kit/sdk';
import { client } from '../client.ts';
import { Icon } from '../components/icon.tsx';
import { LoadError } from '../components/load-error.tsx';
import { Picture } from '../components/picture.tsx';
import { Screen } from '../components/screen.tsx';
import { cataloguePath, paths, replaceHash } from '../router.ts';
import { useTexts } from '../texts/use-texts.ts';
import { useQuery } from '../use-query.ts';

type CatalogueFilter = { category: number | undefined; search: string };

const normalize = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();

const matches = (game: Game, { category, search }: CatalogueFilter): boolean =>
  (category === undefined || game.category_id === category) &&
  [game.title, game.brand, game.developers].some((text) => normalize(text).includes(normalize(search)));

const categoriesOf = (games: ListGamesResponse['games']): Category[] =>
  [...new Map(games.map(({ category }) => [category.id, category])).values()].sort((a, b) => a.id - b.id);

function GameCard({ game }: { game: Game }) {
  const { catalogue } = useTexts();
  return (
    <li className={game.status ? 'game' : 'game game-closed'}>
      <a href={paths.game(game.slug)}>
        <Picture className="game-picture" src={game.image} />
        <span className="game-title">{game.title}</span>
        <span className="game-developer">{game.status ? game.developers : catalogue.closed}</span>
      </a>
    </li>
  );
}

function Popular({ games }: { games: readonly Game[] }) {
  const { catalogue } = useTexts();
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

function Games({ response, filter }: { response: ListGamesResponse; filter: CatalogueFilter }) {
  const { catalogue } = useTexts();
  const found = response.games.filter((game) => matches(game, filter));
  const isUnfiltered = filter.category === undefined && !filter.search;
  const select = (category: number | undefined) => replaceHash(cataloguePath(category, filter.search));
  return (
    <>
      {isUnfiltered && response.populerGames.length > 0 && <Popular games={response.populerGames} />}
      <section aria-labelledby="all">
        <div className="section-head">
          <h2 id="all">{catalogue.all}</h2>
          <p role="status">{catalogue.found(found.length)}</p>
        </div>
        <fieldset className="chips">
          <legend className="hidden">{catalogue.categories}</legend>
          <Chip checked={filter.category === undefined} onSelect={() => select(undefined)}>
            {catalogue.allCategories}
          </Chip>
          {categoriesOf(response.games).map(({ id, title }) => (
            <Chip key={id} checked={filter.category === id} onSelect={() => select(id)}>
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
            <p>{filter.search ? catalogue.none(filter.search) : catalogue.nothing}</p>
            {!isUnfiltered && (
              <button type="button" className="button" onClick={() => replaceHash(paths.catalogue)}>
                {catalogue.clear}
              </button>
            )}
          </div>
        )}
      </section>
    </>
  );
}

const Chip = (props: { checked: boolean; onSelect: () => void; children: string }) => (
  <label className="chip">
    <input
      type="radio"
      name="category"
      className="hidden"
      checked={props.checked}
      onChange={props.onSelect}
    />
    <span>{props.children}</span>
  </label>
);

const placeholders = Array.from({ length: 12 }, (_, index) => index);

const LoadingGrid = ({ label }: { label: string }) => (
  <div role="status">
    <span className="hidden">{label}</span>
    <div className="games" aria-hidden="true">
      {placeholders.map((index) => (
        <div key={index} className="game-placeholder" />
      ))}
    </div>
  </div>
);

export function CatalogueScreen(filter: CatalogueFilter) {
  const texts = useTexts();
  const { result, retry } = useQuery('games', (signal) => client.games.list({ signal }));
  const { catalogue } = texts;
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
            value={filter.search}
            onChange={({ target }) => replaceHash(cataloguePath(filter.category, target.value))}
          />
        </label>
      </search>
      {result.state === 'loading' && <LoadingGrid label={texts.loading} />}
      {result.state === 'failed' && <LoadError error={result.error} retry={retry} />}
      {result.state === 'ready' && <Games response={result.data} filter={filter} />}
    </Screen>
  );
}
