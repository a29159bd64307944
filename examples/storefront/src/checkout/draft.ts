import { useState } from 'react';

/** What a visitor has filled in so far; empty text and undefined are what is still open. */
export interface Draft {
  id: string;
  server: string;
  productId: number | undefined;
  methodId: number | undefined;
  quantity: number;
  phone: string;
  email: string;
}

export type Change = (change: Partial<Draft>) => void;

const empty: Draft = {
  id: '',
  server: '',
  productId: undefined,
  methodId: undefined,
  quantity: 1,
  phone: '',
  email: '',
};

const key = (slug: string): string => `kilat:draft:${slug}`;

function read(slug: string): Draft {
  try {
    return { ...empty, ...JSON.parse(sessionStorage.getItem(key(slug)) ?? '{}') };
  } catch {
    return empty;
  }
}

/** The draft of a game's order; it lasts as long as the tab, so that Back finds it again. */
export function useDraft(slug: string): [Draft, Change] {
  const [draft, setDraft] = useState(() => read(slug));
  const change: Change = (changed) => {
    const next = { ...draft, ...changed };
    sessionStorage.setItem(key(slug), JSON.stringify(next));
    setDraft(next);
  };
  return [draft, change];
}
