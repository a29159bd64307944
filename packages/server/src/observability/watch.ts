import type { IncomingHttpHeaders } from 'node:http';
import type { RequestRecord } from '@topup-kit/core/app';
import type { RunTracked } from '@topup-kit/core/engine';
import type { Logger } from 'pino';
import type { ProviderCall } from './providers.ts';

export interface Watch {
  /** Runs the handler of a request before `endRequest`. */
  inRequest<Result>(headers: IncomingHttpHeaders, record: RequestRecord, handle: () => Result): Result;
  endRequest(record: RequestRecord): void;
  noteCall(call: ProviderCall): void;
  watchWork: RunTracked;
  /** Stops within this many milliseconds. */
  close(timeoutMs: number): Promise<void>;
}

/** Room that observes a server even before it has a port and a store. */
export interface Watcher {
  /** Returns the secret texts of its settings, which the log must not contain. */
  secrets(): readonly string[];
  /** Resolves with undefined if the settings don't enable it, so that requests do no additional work. */
  start(host: { logger: Pick<Logger, 'warn'>; basePath: string }): Promise<Watch | undefined>;
}
