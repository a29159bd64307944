import type { IncomingHttpHeaders } from 'node:http';
import type { RequestRecord } from '@topup-kit/core/app';
import type { WatchWork } from '@topup-kit/core/engine';
import type { Logger } from 'pino';
import type { ProviderCall } from './providers.ts';

/** Watches requests, calls of providers and due work. */
export interface Watch {
  /** Runs what handles a request, before `endRequest`. */
  inRequest<Result>(headers: IncomingHttpHeaders, record: RequestRecord, handle: () => Result): Result;
  endRequest(record: RequestRecord): void;
  /** Called when a call has ended. */
  noteCall(call: ProviderCall): void;
  /** Runs due work. */
  watchWork: WatchWork;
  /** Ends for at most so many milliseconds. */
  close(timeoutMs: number): Promise<void>;
}

/** A room that watches a server, from before it has a port and a store. */
export interface Watcher {
  /** Texts of its settings that the log must not show. */
  secrets(): readonly string[];
  /** Resolves with null when the settings don't want it. */
  start(host: { logger: Pick<Logger, 'warn'>; basePath: string }): Promise<Watch | null>;
}

/** Starts all that watch; undefined when there are none, so that a request pays for none. */
export async function startWatch(
  watchers: readonly Watcher[],
  host: Parameters<Watcher['start']>[0],
): Promise<Watch | undefined> {
  const started = await Promise.all(watchers.map((watcher) => watcher.start(host)));
  return started
    .filter((watch) => watch !== null)
    .reduce<Watch | undefined>((outer, inner) => (outer ? both(outer, inner) : inner), undefined);
}

const both = (outer: Watch, inner: Watch): Watch => ({
  inRequest: (headers, record, handle) =>
    outer.inRequest(headers, record, () => inner.inRequest(headers, record, handle)),
  endRequest(record) {
    inner.endRequest(record);
    outer.endRequest(record);
  },
  noteCall(call) {
    inner.noteCall(call);
    outer.noteCall(call);
  },
  watchWork: (kind, item, work) => outer.watchWork(kind, item, () => inner.watchWork(kind, item, work)),
  async close(timeoutMs) {
    await Promise.all([inner.close(timeoutMs), outer.close(timeoutMs)]);
  },
});
