import autocannon from 'autocannon';

/** What a round of load gave. Times are milliseconds. */
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
 * Loads a URL over 50 connections for a while.
 *
 * @throws Error when an answer is missing or not the expected one: a fast wrong answer is no figure.
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
      `${url}: ${result.errors} errors, ${others} of ${result.requests.total} answers not ${expectStatus}`,
    );
  return { perSecond: expected / result.duration, p99: result.latency.p99 };
}
