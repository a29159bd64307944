import { errorWords, useWords } from '../texts/use-texts.ts';
import { Icon } from './icon.tsx';

/** A part of a screen that could not be loaded. */
export function Trouble({ error, again }: { error: unknown; again: () => void }) {
  const words = useWords();
  return (
    <div className="trouble" role="alert">
      <Icon name="alert" />
      <p>{errorWords(error, words)}</p>
      <button type="button" className="button" onClick={again}>
        {words.tryAgain}
      </button>
    </div>
  );
}
