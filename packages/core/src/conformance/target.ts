import type { Dialect } from '../contract/index.ts';
import type { Sample } from './sample.ts';

/** What a sandbox lets happen from outside. */
export interface SandboxHands {
  act(orderId: string, action: 'pay' | 'fail' | 'expire' | 'deliver'): Promise<void>;
  /** Moves world time on, by milliseconds. */
  advance(by: number): Promise<void>;
}

/** A service to try the contract on. */
export interface Target {
  /** Where the interface is mounted, without a slash at its end. */
  baseUrl: string;
  apiKey: string;
  /** A key of another account; cases that need one are skipped without it. */
  otherApiKey?: string;
  /** What may be ordered there; the sandbox catalogue's when left out. */
  sample?: Sample;
  /** How the service fills the interface's silence; this kit's own way when left out. */
  dialect?: Dialect;
  /** Hands on a sandbox's world; cases that need them are skipped without. */
  sandbox?: SandboxHands;
  fetch(input: string, init?: RequestInit): Promise<Response>;
}
