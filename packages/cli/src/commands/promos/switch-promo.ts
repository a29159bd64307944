import type { CommandContext } from '../../context.ts';
import { exitCodes, Problem } from '../../errors/cli-error.ts';
import { type Operating, operate, type StoreOptions } from '../../store/open.ts';
import { isCode, putPromo } from './put-promo.ts';

export interface SwitchOptions extends StoreOptions {
  dryRun?: true;
}

const missing = (code: string, { path, commandLine }: Operating): Problem =>
  new Problem(`There is no promo ${code} in ${path}.`, {
    code: 'PROMO_NOT_FOUND',
    exitCode: exitCodes.notFound,
    hint: `This lists them:\n  ${commandLine('promos list')}`,
  });

/** Switches a promo on or off; one that is so already stays so. */
export const switchPromo = (
  { code, status }: { code: string; status: boolean },
  options: SwitchOptions,
  context: CommandContext,
): Promise<void> =>
  operate(context, options, async (operating) => {
    const promo = (await operating.store.readCatalog())?.promos.find((one) => isCode(one, code));
    if (!promo) throw missing(code, operating);
    await putPromo({ ...promo, status }, options, operating, context);
  });
