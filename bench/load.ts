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
  /** Paths that each connection requests in turn, instead of that of the URL. */
  paths?: string[];
  expectStatus: number;
}

/**
 * Sends requests to a URL over some connections for some seconds.
 *
 * @throws Error if a response is missing or has another status, because then the figures mean nothing.
 */
export async function load(request: LoadRequest, seconds: number, connections = 50): Promise<Load> {
  const { url, method, headers, body, paths, expectStatus } = request;
  const result = await autocannon({
    url,
    method,
    headers,
    connections,
    duration: seconds,
    ...(body !== undefined && { body }),
    ...(paths !== undefined && { requests: paths.map((path) => ({ path })) }),
  });
  const expected = result.statusCodeStats?.[`${expectStatus}`]?.count ?? 0;
  const others = result.requests.total - expected;
  if (result.errors > 0 || others > 0 || expected === 0) {
    const statuses = JSON.stringify(result.statusCodeStats ?? {});
    throw new Error(`${url}: ${result.errors} errors, and responses other than ${expectStatus}: ${statuses}`);
  }
  return { perSecond: expected / result.duration, p99: result.latency.p99 };
}
