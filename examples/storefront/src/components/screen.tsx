import { type ReactNode, useEffect } from 'react';
import { useTexts } from '../texts/use-texts.ts';

let isFirst = true;

/** Renders a screen. Its `h1` gets the focus on navigation, so that screen readers announce it. */
export function Screen({ title, name, children }: { title: string; name: string; children: ReactNode }) {
  const { shop } = useTexts();
  useEffect(() => {
    document.title = `${title} · ${shop}`;
  }, [title, shop]);
  useEffect(() => {
    // Screen readers read the first page from the top in any case.
    if (!isFirst) document.querySelector('h1')?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return <div className={`screen screen-${name}`}>{children}</div>;
}
