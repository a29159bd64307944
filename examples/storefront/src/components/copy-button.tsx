import { useState } from 'react';
import { useTexts } from '../texts/use-texts.ts';
import { Icon } from './icon.tsx';

/** Copies a text and confirms it; `label` names the text for screen readers. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { payment } = useTexts();
  const [message, setMessage] = useState('');
  async function copy() {
    // Browsers have no clipboard API on an insecure connection.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setMessage(isCopied ? payment.copied : payment.notCopied);
    setTimeout(() => setMessage(''), 4_000);
  }
  return (
    <span className="copy">
      <button type="button" className="button-quiet" onClick={copy}>
        <Icon name="copy" /> {payment.copy} <span className="hidden">{label}</span>
      </button>
      <span className="copy-status" role="status">
        {message}
      </span>
    </span>
  );
}
