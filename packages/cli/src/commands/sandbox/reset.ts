import type { Command } from 'commander';
import { addExample } from '../../command-line.ts';
import { confirm, yesOption } from '../../input/confirm.ts';
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
  const controls = await connectSandbox(io, command);
  const consequence = `A reset forgets all orders of the sandbox at ${controls.root}.`;
  await confirm(io, command, { yes, consequence });
  const world = await askWorld(controls, '/reset', {});
  await print(io, command, { document: world, screen: () => worldScreen(world) });
}

export const defineReset: Define = (sandbox, io) => {
  const command = sandbox
    .command('reset')
    .description('Forget all orders, set the time right and end any scenario; catalogue and keys stay')
    .option(...yesOption)
    .action((options: Options, self: Command) => reset(options, io, self));
  addExample(command, io, 'sandbox reset --yes');
};
