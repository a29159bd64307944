import { terminalSafeJson } from '@topup-kit/core/platform';
import { CliError, exitCodes, noSuchFieldCode, usageError } from '../errors/cli-error.ts';
import type { Io } from '../io.ts';
import { isObject } from '../json.ts';
import { asReceived } from './departures.ts';
import { layOut } from './layout.ts';
import { type OutputStyle, safeScreen, styleOf } from './style.ts';
import { printable, visibleLines } from './text.ts';

/** A result in each output format. */
export interface Result {
  /** Result for `--json`. */
  document: unknown;
  screen(style: OutputStyle): string | Promise<string>;
  /** Ids for `--quiet`, which prints the screen if there are none. */
  ids?: readonly string[];
}

interface OutputOptions {
  json?: true;
  fields?: string;
  quiet?: true;
}

export interface CommandOutput {
  /** Writes the result to stdout: a JSON document or a screen. */
  print(result: Result): Promise<void>;
  /** Writes one result of a stream: for programs, a line of JSON (NDJSON). */
  printNext(result: Result): Promise<void>;
  /** Writes a note or a next step to stderr, except with `--json` or `--quiet`. */
  remark(text: string): void;
}

/** Tells whether the output is JSON; `--fields` implies JSON. */
export const wantsJson = ({ json, fields }: OutputOptions): boolean => json === true || fields !== undefined;

export function readFields({ fields }: OutputOptions): string[] | undefined {
  const paths = fields?.split(',').map((path) => path.trim());
  if (paths?.some((path) => !/^[^.\s]+(\.[^.\s]+)*$/.test(path)))
    throw usageError('--fields must be names separated by commas, such as orderId,data.total_price.');
  return paths;
}

/** Returns the error for a document without any of the fields. The command has then already done its work. */
function noSuchField(missing: readonly string[], document: unknown): CliError {
  const names = isObject(document) ? Object.keys(document).join(', ') : '';
  return new CliError(`No such field: ${missing.join(', ')}.`, {
    code: noSuchFieldCode,
    exitCode: exitCodes.usage,
    hint: names === '' ? undefined : `The command was carried out. Its document has ${names}.`,
  });
}

export function createOutput(io: Io, options: OutputOptions): CommandOutput {
  const json = wantsJson(options);
  /** Paths that were already reported, so that a stream reports each path only once. */
  const reported = new Set<string>();

  function reportMissing(paths: readonly string[]): void {
    const missing = paths.filter((path) => !reported.has(path));
    if (missing.length === 0) return;
    io.stderr.write(`No such field: ${printable(missing.join(', '))}.\n`);
    for (const path of missing) reported.add(path);
  }

  /** Selects the fields. The documents of a stream differ, so a single document may have none of the fields. */
  function chosen(shown: unknown, { inStream = false } = {}): unknown {
    const document = asReceived(shown);
    const paths = readFields(options);
    if (paths === undefined) return document;
    const picked = pickFields(document, paths);
    if (!inStream && picked.missing.length === paths.length) throw noSuchField(picked.missing, document);
    reportMissing(picked.missing);
    return picked.document;
  }

  async function print({ document, screen, ids }: Result): Promise<void> {
    if (json) await io.stdout.write(jsonDocument(chosen(document)));
    else if (ids && options.quiet) await io.stdout.write(ids.map((id) => `${printable(id)}\n`).join(''));
    else await io.stdout.write(await safeScreen(screen, styleOf(io, io.stdout)));
  }

  return {
    print,
    async printNext(result) {
      if (json) await io.stdout.write(jsonLine(chosen(result.document, { inStream: true })));
      else await print(result);
    },
    remark(text) {
      if (!json && !options.quiet)
        io.stderr.write(`${visibleLines(layOut(text, styleOf(io, io.stderr).columns))}\n`);
    },
  };
}

/** Selects the field in each item. Items without the field become `{}`, so that all keep their positions. */
function pickFromList(list: readonly unknown[], path: readonly string[]): unknown {
  const picked = list.map((item) => pickPath(item, path));
  if (list.length > 0 && picked.every((item) => item === undefined)) return undefined;
  return picked.map((item) => item ?? {});
}

/** Returns the part of a value at a path; undefined if a field is missing. */
function pickPath(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(value)) return pickFromList(value, path);
  if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
  const picked = pickPath(value[name], rest);
  return picked === undefined ? undefined : { [name]: picked };
}

function merge(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) return a.map((item, index) => merge(item, b[index]));
  if (!isObject(a) || !isObject(b)) return b;
  const both = { ...a, ...b };
  return Object.fromEntries(
    Object.entries(both).map(([name, value]) => [
      name,
      Object.hasOwn(a, name) && Object.hasOwn(b, name) ? merge(a[name], value) : value,
    ]),
  );
}

interface Picked {
  document: unknown;
  /** Paths that don't exist in the document. */
  missing: string[];
}

/**
 * Selects the parts of a document at paths such as `orderId` or `games.slug`, and keeps their places. A path includes every item of a list.
 *
 * @example
 * pickFields({ games: [{ slug: 'a', id: 1 }], success: true }, ['games.slug']).document; // { games: [{ slug: 'a' }] }
 */
export function pickFields(document: unknown, paths: readonly string[]): Picked {
  const picked = paths.map((path) => pickPath(document, path.split('.')));
  const found = picked.filter((part) => part !== undefined);
  return {
    document: found.length === 0 ? {} : found.reduce<unknown>(merge, undefined),
    missing: paths.filter((_path, index) => picked[index] === undefined),
  };
}

export const jsonDocument = (value: unknown): string =>
  `${terminalSafeJson(JSON.stringify(value, null, 2))}\n`;

/** Formats one line of NDJSON. */
export const jsonLine = (value: unknown): string => `${terminalSafeJson(JSON.stringify(value))}\n`;
