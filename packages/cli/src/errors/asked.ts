import type { Connection } from '../service/connection.ts';

/** What a problem's words need to know of the command. */
export interface Asked {
  connection: Connection;
  /** How the command is called. */
  program: string;
  /** A command line that asks the same service. */
  commandLine(args: string): string;
  /** The slug of the game that was asked about, where it was about one. */
  game?: string | undefined;
}
