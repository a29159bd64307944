import type { GameDetail } from '@topup-kit/sdk';
import { useState } from 'react';
import type { Words } from '../texts/id.ts';

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

type Field = 'id' | 'server' | 'product' | 'method' | 'phone' | 'email';

/** What is wrong with each field, in words. */
export type Problems = Partial<Record<Field, string>>;

const phone = /^\+?[\d\s-]{8,20}$/;
const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What the service would refuse anyway, said before it is asked. */
export function checkDraft(draft: Draft, { fields }: GameDetail, { checkout }: Words): Problems {
  const problems: Problems = {};
  // safe: the contract has no other target fields
  for (const { name, label, required } of fields)
    if (required && !draft[name as 'id' | 'server']?.trim())
      problems[name as 'id' | 'server'] = checkout.required(label);
  if (draft.productId === undefined) problems.product = checkout.chooseProduct;
  if (draft.methodId === undefined) problems.method = checkout.chooseMethod;
  if (!phone.test(draft.phone.trim())) problems.phone = checkout.badPhone;
  if (draft.email.trim() && !email.test(draft.email.trim())) problems.email = checkout.badEmail;
  return problems;
}

const fieldsOfService: Record<string, Field> = {
  id: 'id',
  server: 'server',
  product_id: 'product',
  payment_method_id: 'method',
  whatsapp: 'phone',
  email: 'email',
};

/** What the service refused, in the form's own words. */
export const refusedFields = (fields: Record<string, string[]>, { checkout }: Words): Problems =>
  Object.fromEntries(
    Object.keys(fields).flatMap((name) => {
      const field = fieldsOfService[name];
      return field ? [[field, checkout.badField]] : [];
    }),
  );
