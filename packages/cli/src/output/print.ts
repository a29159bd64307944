import type { Command } from 'commander';
import { usageProblem } from '../errors/problem.ts';
import { globalOptions } from '../global-options.ts';
import type { Io } from '../io.ts';
import { jsonDocument, jsonLine } from './json.ts';
import { type Look, lookOf } from './look.ts';
import { pickFields } from './pick-fields.ts';
import { printable } from './printable.ts';

/** A result in each form that it can be asked for. */
export interface Result {
  /** For programs, under `--json`. */
  document: unknown;
  /** For people. */
  screen(look: Look): string | Promise<string>;
  /** What names it, under `--quiet`; without them `--quiet` shows the screen too. */
  ids?: readonly string[];
}

/** Whether the result goes to a program: `--fields` picks from the document. */
export function wantsJson(command: Command): boolean {
  const { json, fields } = globalOptions(command);
  return json === true || fields !== undefined;
}

/** The paths that `--fields` names. */
export function readFields(command: Command): string[] | undefined {
  const { fields } = globalOptions(command);
  const paths = fields?.split(',').map((path) => path.trim());
  if (paths?.some((path) => !/^[^.\s]+(\.[^.\s]+)*$/.test(path)))
    throw usageProblem('--fields takes names with commas between them, such as orderId,data.total_price.');
  return paths;
}

/** The paths of which a command was told already that nothing stands there: a stream is not to repeat it. */
const toldMissing = new WeakMap<Command, Set<string>>();

function tellMissing(io: Io, command: Command, missing: readonly string[]): void {
  const told = toldMissing.get(command) ?? new Set();
  const news = missing.filter((path) => !told.has(path));
  if (news.length === 0) return;
  io.stderr.write(`Nothing stands at ${printable(news.join(', '))}.\n`);
  toldMissing.set(command, new Set([...told, ...news]));
}

function chosen(io: Io, command: Command, document: unknown): unknown {
  const paths = readFields(command);
  if (paths === undefined) return document;
  const picked = pickFields(document, paths);
  tellMissing(io, command, picked.missing);
  return picked.document;
}

/** The result on stdout: one document for programs, the screen for people. */
export async function print(io: Io, command: Command, { document, screen, ids }: Result): Promise<void> {
  if (wantsJson(command)) await io.stdout.write(jsonDocument(chosen(io, command, document)));
  else if (ids && globalOptions(command).quiet)
    await io.stdout.write(ids.map((id) => `${printable(id)}\n`).join(''));
  else await io.stdout.write(await screen(lookOf(io, io.stdout)));
}

/** One more result of a stream of them: a line of JSON for programs (NDJSON). */
export async function printNext(io: Io, command: Command, result: Result): Promise<void> {
  if (wantsJson(command)) await io.stdout.write(jsonLine(chosen(io, command, result.document)));
  else await print(io, command, result);
}

/** What to know, or to do next, on stderr; neither programs are told nor who wants it quiet. */
export function remark(io: Io, command: Command, text: string): void {
  if (!wantsJson(command) && !globalOptions(command).quiet) io.stderr.write(`${text}\n`);
}
