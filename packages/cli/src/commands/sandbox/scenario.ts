import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { Problem, usageProblem } from '../../errors/cli-error.ts';
import type { Look } from '../../output/style.ts';
import { type Column, table } from '../../output/table.ts';
import { askWorld } from './ask-world.ts';
import { type Controls, connectSandbox } from './controls.ts';
import { type World, worldScreen } from './world-screen.ts';

const columns: Column[] = [{ title: 'SCENARIO' }, { title: 'WHAT HAPPENS', long: true }, { title: 'NOW' }];

const scenarioTable = ({ scenario, scenarios }: World, look: Look): string =>
  table(
    columns,
    Object.entries(scenarios).map(([name, effect]) => [name, effect, name === scenario ? 'on' : '']),
    look,
  );

function explained(error: unknown, name: string, { commandLine }: Controls): unknown {
  if (!(error instanceof Problem) || error.details.code !== 'VALIDATION_ERROR') return error;
  return usageProblem(
    `There is no scenario ${name}.`,
    `This lists them:\n  ${commandLine('sandbox scenario')}`,
  );
}

const choose = (name: string, controls: Controls): Promise<World> =>
  askWorld(controls, '/scenario', { name }).catch((error: unknown) => {
    throw explained(error, name, controls);
  });

async function scenario(name: string | undefined, context: CommandContext): Promise<void> {
  const controls = await connectSandbox(context);
  const world = name === undefined ? await askWorld(controls, '') : await choose(name, controls);
  await context.print({
    document: world,
    screen: (look) => (name === undefined ? scenarioTable(world, look) : worldScreen(world)),
  });
  if (name === undefined)
    context.remark(`\nTo choose one:\n  ${controls.commandLine('sandbox scenario <name>')}`);
}

export const defineScenario: Define = (sandbox, io) => {
  const command = sandbox
    .command('scenario')
    .description('Let the world go wrong in a way of your choice; without a name: list the ways')
    .argument('[name]', 'the scenario; none ends it')
    .action((name: string | undefined, _options: object, self: Command) =>
      scenario(name, contextOf(io, self)),
    );
  addExample(command, io, 'sandbox scenario supplier-down');
};
