import { CliError, exitCodes } from './errors/cli-error.ts';

const needed = 24;

export const isNewestNode = (): boolean => Number.parseInt(process.versions.node, 10) >= needed;

/** Rejects an older Node, which lacks APIs that stores and servers need. @throws CliError */
export function requireNewestNode(what: string): void {
  if (isNewestNode()) return;
  throw new CliError(`${what} needs Node ${needed} or later; this is ${process.version}.`, {
    code: 'NODE',
    exitCode: exitCodes.failure,
    hint: `Run it with Node ${needed}, or as one executable (docs/install.md):\n  npx -p node@${needed} -p FILE.tgz topup`,
  });
}
