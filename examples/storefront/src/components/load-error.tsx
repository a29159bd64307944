import { errorText, useTexts } from '../texts/use-texts.ts';
import { Icon } from './icon.tsx';

/** Renders an error instead of content that could not be loaded. */
export function LoadError({ error, retry }: { error: unknown; retry: () => void }) {
  const texts = useTexts();
  return (
    <div className="load-error" role="alert">
      <Icon name="alert" />
      <p>{errorText(error, texts)}</p>
      <button type="button" className="button" onClick={retry}>
        {texts.tryAgain}
      </button>
    </div>
  );
}
