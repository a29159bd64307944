import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { askWorld } from './ask-world.ts';
import { connectSandbox } from './controls.ts';
import { worldScreen } from './world-screen.ts';

async function showWorld(context: CommandContext): Promise<void> {
  const world = await askWorld(await connectSandbox(context), '');
  await context.print({ document: world, screen: () => worldScreen(world) });
}

export const defineStatus: Define = (sandbox, io) => {
  const status = sandbox
    .command('status')
    .description("Show the sandbox's time and scenario")
    .action((_options: object, command: Command) => showWorld(contextOf(io, command)));
  addExample(status, io, 'sandbox status');
};
