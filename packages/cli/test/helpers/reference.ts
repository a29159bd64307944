import type { Command } from 'commander';
import { expect } from 'vitest';
import { loadProgram } from '../../src/program.ts';
import { renderHelp } from './render-help.ts';
import { run } from './run.ts';

const silent = { write: () => {} };
const nobody = { stdin: (async function* () {})(), stdout: silent, stderr: silent, environment: {} };
const program = await loadProgram(nobody, () => true);

const pathOf = (command: Command): string[] =>
  command.parent ? [...pathOf(command.parent), command.name()] : [];

const withSubcommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];

/** All commands, with the words that name them. */
export const commands = withSubcommands(program).map((command) => ({
  command,
  path: pathOf(command),
  name: pathOf(command).join('-') || 'topup',
}));

/** The page of a command, from this folder's package: one page for each noun, and one that lists them. */
export const pageOf = ([noun]: readonly string[]): string =>
  noun === undefined ? 'reference.md' : `reference/${noun}.md`;

/** A command and its help, as a section of its page. */
export async function referenceSection(path: string[]): Promise<string> {
  const { code, stdout, stderr } = await run([...path, '--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return renderHelp(path, stdout);
}
