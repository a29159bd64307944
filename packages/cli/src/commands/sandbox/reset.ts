import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { confirm, yesOption } from '../../input/prompts.ts';
import { askWorld } from './ask-world.ts';
import { connectSandbox } from './controls.ts';
import { worldScreen } from './world-screen.ts';

interface Options {
  yes?: true;
}

async function reset({ yes }: Options, context: CommandContext): Promise<void> {
  const controls = await connectSandbox(context);
  const consequence = `A reset forgets all orders of the sandbox at ${controls.root}.`;
  await confirm(context, { yes, consequence });
  const world = await askWorld(controls, '/reset', {});
  await context.print({ document: world, screen: () => worldScreen(world) });
}

export const defineReset: Define = (sandbox, io) => {
  const command = sandbox
    .command('reset')
    .description('Forget all orders, set the time right and end any scenario; catalogue and keys stay')
    .option(...yesOption)
    .action((options: Options, self: Command) => reset(options, contextOf(io, self)));
  addExample(command, io, 'sandbox reset --yes');
};
