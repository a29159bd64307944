import { parseDuration } from '@topup-kit/core/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { askWorld } from './ask-world.ts';
import { connectSandbox } from './controls.ts';
import { worldScreen } from './world-screen.ts';

function duration(text: string): string {
  if (parseDuration(text) === undefined)
    throw new InvalidArgumentError('It takes a duration such as 30s, 31m, 24h or 1h30m.');
  return text;
}

async function advance(by: string, context: CommandContext): Promise<void> {
  const world = await askWorld(await connectSandbox(context), '/advance', { by });
  await context.print({ document: world, screen: () => worldScreen(world) });
}

export const defineAdvance: Define = (sandbox, io) => {
  const command = sandbox
    .command('advance')
    .description("Move the sandbox's time on; what falls due on the way happens")
    .argument('<duration>', 'how far, such as 31m, 24h or 1h30m', duration)
    .action((by: string, _options: object, self: Command) => advance(by, contextOf(io, self)));
  addExample(command, io, 'sandbox advance 31m');
};
