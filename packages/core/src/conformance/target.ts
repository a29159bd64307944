import type { Sample } from './sample.ts';

/** A service to try the contract on. */
export interface Target {
  /** Where the interface is mounted, without a slash at its end. */
  baseUrl: string;
  apiKey: string;
  /** A key of another account; cases that need one are skipped without it. */
  otherApiKey?: string;
  /** What may be ordered there; the sandbox catalogue's when left out. */
  sample?: Sample;
  fetch(input: string, init?: RequestInit): Promise<Response>;
}
