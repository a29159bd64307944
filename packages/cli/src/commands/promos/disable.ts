import type { Command } from 'commander';
import { contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { dryRunOption } from '../../input/prompts.ts';
import { onStore } from '../../store/open.ts';
import { type SwitchOptions, switchPromo } from './switch-promo.ts';

export const defineDisable: Define = (promos, io) => {
  const disable = promos
    .command('disable')
    .description('Let nobody use a promo any more; orders that have it keep it')
    .argument('<code>', 'code of the promo')
    .option(...dryRunOption)
    .action((code: string, options: SwitchOptions, command: Command) =>
      switchPromo({ code, status: false }, options, contextOf(io, command)),
    );
  addExample(onStore(disable), io, 'promos disable RAMADAN10');
};
