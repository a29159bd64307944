import { setTimeout as wait } from 'node:timers/promises';
import type { OrderEvent } from '@topup-kit/sdk';
import { isTopupError } from '@topup-kit/sdk/light';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import type { Service } from '../../service/client.ts';
import { isLoopback } from '../../service/connection.ts';

/** What is said of the connection while events are followed. */
export interface FollowNotices {
  /** The first response came: what happens from now on is told. */
  onStart(): void;
  /** Called once until the service responds again. */
  onLost(problem: CliError): void;
  onBack(): void;
  /** The service lost its orders, so that the place in its events is worth nothing. */
  onOtherStore(): void;
}

/** How long to wait before the service is asked again, in milliseconds. */
const usualInterval = ({ connection: { baseUrl } }: Service): number =>
  isLoopback(new URL(baseUrl)) ? 500 : 1_000;

/** The status of the response, if there was one, and how long the service asks to wait, in milliseconds. */
function responseOf({ details: { cause } }: CliError): { status?: number; retryAfter?: number | undefined } {
  if (!isTopupError(cause) || cause.name !== 'TopupHttpError') return {};
  return { status: cause.status, retryAfter: cause.retryAfter };
}

/** Whether the service may respond again by itself. */
function isTemporary(problem: CliError): boolean {
  const { status } = responseOf(problem);
  return status === undefined
    ? problem.details.exitCode === exitCodes.network
    : status === 429 || status >= 500;
}

/**
 * Yields what happens to the account's orders from now on, as it happens; ends when the signal aborts. While the service is away it
 * keeps asking, and goes on where it was.
 *
 * @throws CliError when the first request fails, or when the service rejects a later one for good.
 */
export async function* followEvents(
  service: Service,
  signal: AbortSignal,
  notices: FollowNotices,
  intervalMs = usualInterval(service),
): AsyncGenerator<OrderEvent[], void> {
  const read = (after?: string) =>
    service.ask((client, options) =>
      client.events.list(after === undefined ? {} : { after, limit: 100 }, options),
    );
  const pause = (ms: number) => wait(ms, undefined, { signal }).catch(() => {});

  let cursor: string | undefined;
  let hasStarted = false;
  let isLost = false;
  while (!signal.aborted) {
    try {
      const { data, next_cursor } = await read(cursor);
      if (!hasStarted) notices.onStart();
      if (isLost) notices.onBack();
      hasStarted = true;
      isLost = false;
      const isLast = cursor === undefined || cursor === next_cursor;
      if (data.length > 0) yield data;
      cursor = next_cursor;
      if (isLast) await pause(intervalMs);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof CliError)) throw error;
      if (cursor !== undefined && responseOf(error).status === 422) {
        notices.onOtherStore();
        cursor = undefined;
        continue;
      }
      if (!hasStarted || !isTemporary(error)) throw error;
      if (!isLost) notices.onLost(error);
      isLost = true;
      await pause(Math.max(intervalMs, responseOf(error).retryAfter ?? 0));
    }
  }
}
