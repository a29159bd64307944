import { type ReactNode, useEffect } from 'react';
import { useWords } from '../texts/use-texts.ts';

let first = true;

/** A screen, which has an `h1` somewhere; its heading is focused when the visitor comes to it. */
export function Screen({ title, name, children }: { title: string; name: string; children: ReactNode }) {
  const { shop } = useWords();
  useEffect(() => {
    document.title = `${title} · ${shop}`;
  }, [title, shop]);
  useEffect(() => {
    // The first screen is read from the top of the page anyway.
    if (!first) document.querySelector('h1')?.focus({ preventScroll: true });
    first = false;
  }, []);
  return <div className={`screen screen-${name}`}>{children}</div>;
}
