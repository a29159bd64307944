import type { Command } from 'commander';
import { addExample } from '../../command-line.ts';
import type { Io } from '../../io.ts';
import { print } from '../../output/print.ts';
import type { Define } from '../define.ts';
import { askWorld } from './ask-world.ts';
import { connectSandbox } from './controls.ts';
import { worldScreen } from './world-screen.ts';

async function showWorld(io: Io, command: Command): Promise<void> {
  const world = await askWorld(await connectSandbox(io, command), '');
  await print(io, command, { document: world, screen: () => worldScreen(world) });
}

export const defineStatus: Define = (sandbox, io) => {
  const status = sandbox
    .command('status')
    .description("Show the sandbox's time and scenario")
    .action((_options: object, command: Command) => showWorld(io, command));
  addExample(status, io, 'sandbox status');
};
