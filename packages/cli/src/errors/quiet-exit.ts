import type { ExitCode } from './exit-codes.ts';

/** Ends a command that said all it has to say with an exit code of its own; no failure. */
export class QuietExit extends Error {
  override readonly name = 'QuietExit';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}
