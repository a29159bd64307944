import type { Promo } from '@topup-kit/core/store';
import type { Command } from 'commander';
import { quotaProblem } from '../../errors/quota-problem.ts';
import type { Io } from '../../io.ts';
import type { Operating } from '../../operator.ts';
import { print } from '../../output/print.ts';
import { promoDocument, withUses } from './promo-document.ts';
import { promoScreen } from './promo-screen.ts';

/** Puts a promo in force and shows it. */
export async function putPromo(promo: Promo, { store, deps }: Operating, io: Io, command: Command) {
  const outcome = await store.putPromo(promo);
  if ('conflict' in outcome) throw quotaProblem(outcome);
  const used = await withUses(store, promo);
  await print(io, command, promoDocument(used), () => promoScreen(used, deps.worldClock()));
}

/** Codes are the same in upper and lower case. */
export const isCode = (promo: Promo, code: string): boolean =>
  promo.code.toUpperCase() === code.toUpperCase();
