import { Agent, request } from 'node:http';

export interface Response {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** Maximum time that a client waits for a response, in milliseconds. */
const patienceMs = 10_000;

export interface Sender extends Disposable {
  /**
   * Sends a request once, and never repeats it. Resolves with null if no response came, so that its outcome is unknown. `cutAfterMs` resets
   * the connection this many milliseconds after sending.
   */
  send(
    url: string,
    options: {
      method?: string;
      headers?: Record<string, string>;
      body?: object | undefined;
      cutAfterMs?: number | undefined;
    },
  ): Promise<Response | null>;
}

export function createSender(): Sender {
  const agent = new Agent({ keepAlive: true });
  return {
    send: (url, { method = 'GET', headers = {}, body, cutAfterMs }) =>
      new Promise((resolve) => {
        const text = body && JSON.stringify(body);
        const sent = request(
          url,
          {
            ...{ agent, method, signal: AbortSignal.timeout(patienceMs) },
            headers: {
              ...headers,
              ...(text && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
            },
          },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('error', () => resolve(null));
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                body: Buffer.concat(chunks).toString(),
              }),
            );
          },
        );
        sent.on('error', () => resolve(null));
        sent.on('close', () => resolve(null));
        if (cutAfterMs !== undefined)
          sent.once('finish', () => setTimeout(() => sent.socket?.resetAndDestroy(), cutAfterMs));
        sent.end(text);
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}
