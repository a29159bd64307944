import { type RunOptions, run } from './run.ts';

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
