import type { Command } from 'commander';
import type { GlobalOptions } from '../global-options.ts';
import type { Io } from '../io.ts';
import { jsonDocument } from './json.ts';

const wantsJson = (command: Command): boolean => command.optsWithGlobals<GlobalOptions>().json === true;

/** The result on stdout: a document for programs under `--json`, else the screen for people. */
export async function print(
  io: Io,
  command: Command,
  document: unknown,
  screen: () => string | Promise<string>,
): Promise<void> {
  io.stdout.write(wantsJson(command) ? jsonDocument(document) : await screen());
}

/** What to know, or to do next, on stderr; programs are not told. */
export function remark(io: Io, command: Command, text: string): void {
  if (!wantsJson(command)) io.stderr.write(`${text}\n`);
}
