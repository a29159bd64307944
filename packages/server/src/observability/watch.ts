import type { IncomingHttpHeaders } from 'node:http';
import type { RequestRecord } from '@topup-kit/core/app';
import type { WatchWork } from '@topup-kit/core/engine';
import type { Logger } from 'pino';
import type { ProviderCall } from './providers.ts';

export interface Watch {
  /** Runs what handles a request, before `endRequest`. */
  inRequest<Result>(headers: IncomingHttpHeaders, record: RequestRecord, handle: () => Result): Result;
  endRequest(record: RequestRecord): void;
  noteCall(call: ProviderCall): void;
  watchWork: WatchWork;
  /** Ends for at most so many milliseconds. */
  close(timeoutMs: number): Promise<void>;
}

/** A room that watches a server, from before it has a port and a store. */
export interface Watcher {
  /** Texts of its settings that the log must not show. */
  secrets(): readonly string[];
  /** Resolves with nothing when the settings don't want it, so that a request pays nothing. */
  start(host: { logger: Pick<Logger, 'warn'>; basePath: string }): Promise<Watch | undefined>;
}
