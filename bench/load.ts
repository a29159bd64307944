import autocannon from 'autocannon';

/** The result of a round of load. `p99` is in milliseconds. */
export interface Load {
  perSecond: number;
  p99: number;
}

export interface LoadRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  expectStatus: number;
}

/**
 * Sends requests to a URL over 50 connections for some seconds.
 *
 * @throws Error if a response is missing or has another status, because then the figures mean nothing.
 */
export async function load(request: LoadRequest, seconds: number): Promise<Load> {
  const { url, method, headers, body, expectStatus } = request;
  const result = await autocannon({
    url,
    method,
    headers,
    connections: 50,
    duration: seconds,
    ...(body !== undefined && { body }),
  });
  const expected = result.statusCodeStats?.[`${expectStatus}`]?.count ?? 0;
  const others = result.requests.total - expected;
  if (result.errors > 0 || others > 0 || expected === 0)
    throw new Error(
      `${url}: ${result.errors} errors, ${others} of ${result.requests.total} responses not ${expectStatus}`,
    );
  return { perSecond: expected / result.duration, p99: result.latency.p99 };
}
