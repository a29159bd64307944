import { useState } from 'react';
import { useWords } from '../texts/use-texts.ts';
import { Icon } from './icon.tsx';

/** Copies a text and says so; `of` is what the button is for. */
export function CopyButton({ text, of }: { text: string; of: string }) {
  const { payment } = useWords();
  const [said, setSaid] = useState('');
  async function copy() {
    // Without a secure connection there is no clipboard to write to.
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(done ? payment.copied : payment.notCopied);
    setTimeout(() => setSaid(''), 4_000);
  }
  return (
    <span className="copy">
      <button type="button" className="button-quiet" onClick={copy}>
        <Icon name="copy" /> {payment.copy} <span className="hidden">{of}</span>
      </button>
      <span className="copy-said" role="status">
        {said}
      </span>
    </span>
  );
}
