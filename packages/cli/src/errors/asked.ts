import type { Connection } from '../connection.ts';

/** What a problem's words need to know of the command. */
export interface Asked {
  connection: Connection;
  /** How the command is called. */
  program: string;
}
