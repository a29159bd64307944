import { usageProblem } from '../errors/problem.ts';
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

/** The options that say in which form a result is wanted. */
export interface OutputOptions {
  json?: true;
  fields?: string;
  quiet?: true;
}

/** How a command tells its result, and what to know about it. */
export interface CommandOutput {
  /** Writes the result to stdout: one document for programs, the screen for people. */
  print(result: Result): Promise<void>;
  /** Writes one more result of a stream of them: a line of JSON for programs (NDJSON). */
  printNext(result: Result): Promise<void>;
  /** Says on stderr what to know, or to do next; not to programs, and not with `--quiet`. */
  remark(text: string): void;
}

/** Whether the result goes to a program: `--fields` picks from the document. */
export const wantsJson = ({ json, fields }: OutputOptions): boolean => json === true || fields !== undefined;

/** The paths that `--fields` names. */
export function readFields({ fields }: OutputOptions): string[] | undefined {
  const paths = fields?.split(',').map((path) => path.trim());
  if (paths?.some((path) => !/^[^.\s]+(\.[^.\s]+)*$/.test(path)))
    throw usageProblem('--fields takes names with commas between them, such as orderId,data.total_price.');
  return paths;
}

/** The output of one command. */
export function createOutput(io: Io, options: OutputOptions): CommandOutput {
  const json = wantsJson(options);
  /** Paths that were reported already: a stream is not to repeat them. */
  const reported = new Set<string>();

  function reportMissing(paths: readonly string[]): void {
    const missing = paths.filter((path) => !reported.has(path));
    if (missing.length === 0) return;
    io.stderr.write(`Nothing stands at ${printable(missing.join(', '))}.\n`);
    for (const path of missing) reported.add(path);
  }

  function chosen(document: unknown): unknown {
    const paths = readFields(options);
    if (paths === undefined) return document;
    const picked = pickFields(document, paths);
    reportMissing(picked.missing);
    return picked.document;
  }

  async function print({ document, screen, ids }: Result): Promise<void> {
    if (json) await io.stdout.write(jsonDocument(chosen(document)));
    else if (ids && options.quiet) await io.stdout.write(ids.map((id) => `${printable(id)}\n`).join(''));
    else await io.stdout.write(await screen(lookOf(io, io.stdout)));
  }

  return {
    print,
    async printNext(result) {
      if (json) await io.stdout.write(jsonLine(chosen(result.document)));
      else await print(result);
    },
    remark(text) {
      if (!json && !options.quiet) io.stderr.write(`${text}\n`);
    },
  };
}
