import type { ServerResponse } from 'node:http';
import type { PlainResponse } from '@topup-kit/core/app';

/** How long a client may take to read a response: so many milliseconds, and one more for so many of its bytes (10 kB a second). */
const maxUnreadMs = 30_000;
const bytesPerMs = 10;

/** Writes responses, and cuts the clients that don't read them. */
export interface Writer {
  write(outgoing: ServerResponse, response: PlainResponse): void;
  /** Cuts the clients that have not read their response for so long, in milliseconds. */
  cutUnread(ms: number): void;
}

export function createWriter(): Writer {
  /** Responses of which the system couldn't take all, because their clients don't read, and when they were written. */
  const unread = new Map<ServerResponse, number>();

  function watch(outgoing: ServerResponse, bytes: number): void {
    unread.set(outgoing, performance.now());
    const cut = setTimeout(() => outgoing.destroy(), maxUnreadMs + bytes / bytesPerMs).unref();
    outgoing.once('close', () => {
      clearTimeout(cut);
      unread.delete(outgoing);
    });
  }

  return {
    write(outgoing, { status, headers, body }) {
      const head: string[] = [];
      for (const name in headers) head.push(name, headers[name] ?? '');
      // What has no body may have the length of one only if it is that of the response that it stands for.
      const hasBody = status !== 304 && status !== 204 && outgoing.req.method !== 'HEAD';
      if (hasBody) head.push('Content-Length', String(Buffer.byteLength(body)));
      outgoing.writeHead(status, head);
      outgoing.end(body);
      if (outgoing.socket?.writableLength) watch(outgoing, body.length);
    },
    cutUnread(ms) {
      const now = performance.now();
      for (const [outgoing, since] of unread) if (now > since + ms) outgoing.destroy();
    },
  };
}
