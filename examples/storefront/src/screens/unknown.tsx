import { Screen } from '../parts/screen.tsx';
import { paths } from '../router.ts';
import { useWords } from '../words/use-words.ts';

export function UnknownScreen() {
  const { unknown } = useWords();
  return (
    <Screen title={unknown.title} name="unknown">
      <div className="empty">
        <h1 tabIndex={-1}>{unknown.title}</h1>
        <p>{unknown.says}</p>
        <a className="button" href={paths.catalogue}>
          {unknown.home}
        </a>
      </div>
    </Screen>
  );
}
