import type { Command } from 'commander';
import { addExample } from '../../command-line.ts';
import { usageProblem } from '../../errors/problem.ts';
import type { Io } from '../../io.ts';
import { print } from '../../output/print.ts';
import type { Define } from '../define.ts';
import { askWorld } from './ask-world.ts';
import { connectSandbox } from './controls.ts';
import { worldScreen } from './world-screen.ts';

interface Options {
  yes?: true;
}

async function reset({ yes }: Options, io: Io, command: Command): Promise<void> {
  if (!yes) throw usageProblem('A reset forgets all orders of the sandbox. If you mean it, add --yes.');
  const world = await askWorld(await connectSandbox(io, command), '/reset', {});
  await print(io, command, world, () => worldScreen(world));
}

export const defineReset: Define = (sandbox, io) => {
  const command = sandbox
    .command('reset')
    .description('Forget all orders, set the time right and end any scenario; catalogue and keys stay')
    .option('--yes', 'yes, forget them')
    .action((options: Options, self: Command) => reset(options, io, self));
  addExample(command, io, 'sandbox reset --yes');
};
