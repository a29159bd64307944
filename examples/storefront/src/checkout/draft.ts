import type { GameDetail } from '@topup-kit/sdk';
import { useState } from 'react';
import type { Texts } from '../texts/id.ts';

/** Form as filled in so far. An empty text or undefined is a field that is not filled in yet. */
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

/** Returns the order form of a game. It is kept for the life of the tab, so that going back restores it. */
export function useDraft(slug: string): [Draft, Change] {
  const [draft, setDraft] = useState(() => read(slug));
  const change: Change = (changed) => {
    const next = { ...draft, ...changed };
    sessionStorage.setItem(key(slug), JSON.stringify(next));
    setDraft(next);
  };
  return [draft, change];
}

type Field = 'id' | 'server' | 'product' | 'method' | 'phone' | 'email';

/** Text for each field with a problem. */
export type Problems = Partial<Record<Field, string>>;

/** Matches a number in Indonesia with 0, 62 or +62, or in another country with +. Its digits may be grouped. */
const phone = /^((0|\+?620?)[1-9]\d{7,11}|\+(?!62)[1-9]\d{6,14})$/;
const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Finds problems that the service would reject, before anything is sent. */
export function checkDraft(draft: Draft, { fields }: GameDetail, { checkout }: Texts): Problems {
  const problems: Problems = {};
  // Safe: the contract has no other account fields.
  for (const { name, label, required } of fields)
    if (required && !draft[name as 'id' | 'server']?.trim())
      problems[name as 'id' | 'server'] = checkout.required(label);
  if (draft.productId === undefined) problems.product = checkout.chooseProduct;
  if (draft.methodId === undefined) problems.method = checkout.chooseMethod;
  if (!phone.test(draft.phone.replace(/[\s().-]/g, ''))) problems.phone = checkout.badPhone;
  if (draft.email.trim() && !email.test(draft.email.trim())) problems.email = checkout.badEmail;
  return problems;
}

const formFields: Record<string, Field> = {
  id: 'id',
  server: 'server',
  product_id: 'product',
  payment_method_id: 'method',
  whatsapp: 'phone',
  email: 'email',
};

/** Returns the fields that the service rejected, with the form's own text. */
export const rejectedFields = (fields: Record<string, string[]>, { checkout }: Texts): Problems =>
  Object.fromEntries(
    Object.keys(fields).flatMap((name) => {
      const field = formFields[name];
      return field ? [[field, checkout.badField]] : [];
    }),
  );
