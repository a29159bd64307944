import type { Command } from 'commander';
import { addExample } from '../../command-line.ts';
import { contextOf } from '../../context.ts';
import { dryRunOption } from '../../input/confirm.ts';
import type { Define } from '../define.ts';
import { onStore } from '../on-store.ts';
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
