import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { onStore, operate, type StoreOptions } from '../../store/open.ts';
import { promoDocument, withUses } from './promo-document.ts';
import { promoTable } from './promo-screen.ts';

const listPromos = (options: StoreOptions, context: CommandContext): Promise<void> =>
  operate(context, options, async ({ store, path, deps }) => {
    const promos = (await store.readCatalog())?.promos ?? [];
    const used = await Promise.all(promos.map((promo) => withUses(store, promo)));
    await context.print({
      document: { promos: used.map(promoDocument) },
      ids: used.map(({ promo }) => promo.code),
      screen: (look) => promoTable(used, deps.worldClock(), look),
    });
    if (used.length === 0) context.remark(`No promos in ${path} yet.`);
  });

export const defineList: Define = (promos, io) => {
  const list = promos
    .command('list')
    .description('List the promos with their uses')
    .action((options: StoreOptions, command: Command) => listPromos(options, contextOf(io, command)));
  addExample(onStore(list), io, 'promos list');
};
