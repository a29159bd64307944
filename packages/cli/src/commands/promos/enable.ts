import type { Command } from 'commander';
import { contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { dryRunOption } from '../../input/prompts.ts';
import { onStore } from '../../store/open.ts';
import { type SwitchOptions, switchPromo } from './switch-promo.ts';

export const defineEnable: Define = (promos, io) => {
  const enable = promos
    .command('enable')
    .description('Let a disabled promo be used again')
    .argument('<code>', 'code of the promo')
    .option(...dryRunOption)
    .action((code: string, options: SwitchOptions, command: Command) =>
      switchPromo({ code, status: true }, options, contextOf(io, command)),
    );
  addExample(onStore(enable), io, 'promos enable RAMADAN10');
};
