import { type RunOptions, run } from './run.ts';

/** Replaces times; a short name of a month has three letters, or four: "Sept". */
export const withoutTimes = (text: string): string =>
  text
    .replaceAll(/\d{1,2} \w{3,4} \d{4}, \d\d:\d\d GMT\+7/g, '<time>')
    .replaceAll(/\d{1,2}\s\w{3,4}\s\d{4},\s[\d:]{8}/g, '<second>');

/** Besides, the widths of columns of times, and those of documents. */
export const withoutAnyTimes = (text: string): string =>
  withoutTimes(text)
    .replaceAll(/(\(GMT\+7\)|<second>) {2,}/g, '$1  ')
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"<time>"');

/**
 * What a command that fails shows: to a person its message and hint, to a program its code. The command runs twice, so it must be one
 * that changes nothing.
 */
export async function failureOf(args: string[], options?: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await run(args, options);
  // A stream has other documents before that of its error, which is on the last line.
  const lines = (await run([...args, '--json'], options)).stdout.trimEnd().split('\n');
  const document = JSON.parse(lines.at(-1) ?? '');
  return `${stdout}${stderr}exit ${code}, ${document.error.code}`;
}

/**
 * What commands show.
 *
 * @param lineOf the command line for the words that a test gives
 * @param options how it runs; its width is for people alone
 * @param plain replaces what differs from run to run
 */
export function screensOf(
  lineOf: (args: string[]) => string[],
  options: () => RunOptions,
  plain: (text: string) => string,
) {
  const narrow = (): RunOptions => ({ ...options(), columns: undefined });
  return {
    /** All that a command shows to a person. */
    async shown(...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await run(lineOf(args), options());
      return plain(`${stdout}${stderr}exit ${code}`);
    },
    failing: async (...args: string[]): Promise<string> => plain(await failureOf(lineOf(args), narrow())),
    /** What it prints for a program. */
    json: async (...args: string[]) =>
      JSON.parse(plain((await run([...lineOf(args), '--json'], narrow())).stdout)),
  };
}
