/** Options that commands share, wherever they stand on the command line. */
export interface GlobalOptions {
  json?: true;
  baseUrl?: string;
}
