import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { exitCodes, Problem } from '../../errors/cli-error.ts';
import { noCatalog, onStore, operate } from '../../store/open.ts';
import { addPromoOptions, type PromoOptions } from './promo-options.ts';
import { isCode, putPromo } from './put-promo.ts';
import { readPromo } from './read-promo.ts';

const taken = (code: string): Problem =>
  new Problem(`There is a promo ${code} already.`, {
    code: 'PROMO_EXISTS',
    exitCode: exitCodes.rejected,
    hint: 'Nothing was changed. With --replace, this one takes its place.',
  });

const createPromo = (options: PromoOptions, context: CommandContext): Promise<void> =>
  operate(context, options, async (operating) => {
    const catalog = await operating.store.readCatalog();
    if (!catalog) throw noCatalog(operating.path, context.io);
    const promo = await readPromo(options, catalog);
    const old = catalog.promos.find((one) => isCode(one, promo.code));
    if (old && !options.replace) throw taken(old.code);
    // Uses are counted by the code as it is written, so it stays written as it was.
    await putPromo({ ...promo, code: old?.code ?? promo.code }, options, operating, context);
  });

export const defineCreate: Define = (promos, io) => {
  const create = addPromoOptions(promos.command('create').description('Make a promo code')).action(
    (options: PromoOptions, command: Command) => createPromo(options, contextOf(io, command)),
  );
  addExample(
    onStore(create),
    io,
    'promos create --code LEBARAN --percent 10 \\\n    --max-discount 2000 --quota 1000 --ends 2026-12-31',
  );
};
