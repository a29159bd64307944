import type { Promo } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { quotaProblem } from '../../errors/from-engine.ts';
import type { Operating } from '../../store/open.ts';
import { nothingChanged } from '../orders/act-on-order.ts';
import { promoDocument, withUses } from './promo-document.ts';
import { promoScreen } from './promo-screen.ts';

/** Puts a promo in force and shows it. */
export async function putPromo(
  promo: Promo,
  { dryRun }: { dryRun?: true },
  { store, deps }: Operating,
  context: CommandContext,
): Promise<void> {
  const { previewPromo } = await import('@topup-kit/core/engine');
  const { uses, isOverused } = await previewPromo(store, promo);
  if (isOverused) throw quotaProblem({ code: promo.code, uses });
  const outcome = dryRun ? { done: true } : await store.putPromo(promo);
  if ('conflict' in outcome) throw quotaProblem(outcome);
  const used = await withUses(store, promo);
  await context.print({
    document: promoDocument(used),
    ids: [promo.code],
    screen: () => promoScreen(used, deps.worldClock()),
  });
  if (dryRun) context.remark(nothingChanged);
}

/** Codes are the same in upper and lower case. */
export const isCode = (promo: Promo, code: string): boolean =>
  promo.code.toUpperCase() === code.toUpperCase();
