import { setTimeout as wait } from 'node:timers/promises';
import type { OrderEvent } from '@topup-kit/sdk';
import { isTopupError } from '@topup-kit/sdk/light';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import type { Service } from '../../service/client.ts';
import { isLoopback } from '../../service/connection.ts';

/** Notices about the connection while a command follows events. */
export interface ConnectionNotices {
  /** Called at the first response. Events after it are printed. */
  onStart(): void;
  /** Called once when the connection is lost, and again only after the service has responded. */
  onLost(problem: CliError): void;
  onBack(): void;
}

export interface FollowNotices extends ConnectionNotices {
  /** Called when the service has lost its orders, so that the cursor is invalid. */
  onOtherStore(): void;
}

/** Returns the time between two requests, in milliseconds. */
export const usualInterval = (url: string): number => (isLoopback(new URL(url)) ? 500 : 1_000);

/** Returns the status of the response, if there was one, and its requested delay in milliseconds. */
function responseOf({ details: { cause } }: CliError): { status?: number; retryAfter?: number | undefined } {
  if (!isTopupError(cause) || cause.name !== 'TopupHttpError') return {};
  return { status: cause.status, retryAfter: cause.retryAfter };
}

/** Tells whether a retry may succeed. */
function isTemporary(problem: CliError): boolean {
  const { status } = responseOf(problem);
  return status === undefined
    ? problem.details.exitCode === exitCodes.network
    : status === 429 || status >= 500;
}

interface Page<Item> {
  items: readonly Item[];
  /** True if this was the last page for now. */
  isLast: boolean;
}

/**
 * Yields results page by page until the signal aborts. Repeats requests while the service is unavailable, and continues after the last
 * page.
 * @throws CliError if the first request fails, or if the service permanently rejects a later request.
 */
export async function* poll<Item>(
  read: () => Promise<Page<Item>>,
  signal: AbortSignal,
  notices: ConnectionNotices,
  intervalMs: number,
): AsyncGenerator<readonly Item[], void> {
  const pause = (ms: number) => wait(ms, undefined, { signal }).catch(() => {});
  let hasStarted = false;
  let isLost = false;
  while (!signal.aborted) {
    try {
      const { items, isLast } = await read();
      if (!hasStarted) notices.onStart();
      if (isLost) notices.onBack();
      hasStarted = true;
      isLost = false;
      if (items.length > 0) yield items;
      if (isLast) await pause(intervalMs);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof CliError) || !hasStarted || !isTemporary(error)) throw error;
      if (!isLost) notices.onLost(error);
      isLost = true;
      await pause(Math.max(intervalMs, responseOf(error).retryAfter ?? 0));
    }
  }
}

/** Yields new events of the account's orders, like {@link poll}. */
export function followEvents(
  service: Service,
  signal: AbortSignal,
  notices: FollowNotices,
  intervalMs = usualInterval(service.connection.baseUrl),
): AsyncGenerator<readonly OrderEvent[], void> {
  let cursor: string | undefined;

  async function read(): Promise<Page<OrderEvent>> {
    const query = cursor === undefined ? {} : { after: cursor, limit: 100 };
    try {
      const { data, next_cursor } = await service.ask((client, options) =>
        client.events.list(query, options),
      );
      const isLast = cursor === undefined || cursor === next_cursor;
      cursor = next_cursor;
      return { items: data, isLast };
    } catch (error) {
      const isOtherStore =
        cursor !== undefined && error instanceof CliError && responseOf(error).status === 422;
      if (!isOtherStore || signal.aborted) throw error;
      notices.onOtherStore();
      cursor = undefined;
      return read();
    }
  }
  return poll(read, signal, notices, intervalMs);
}
