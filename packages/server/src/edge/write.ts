import type { ServerResponse } from 'node:http';
import type { PlainResponse } from '@topup-kit/core/app';

/** How long a client may read nothing of its response, in milliseconds. */
const maxUnreadMs = 30_000;

/** A longer body is written in pieces of so many bytes: between them shows whether its client reads. Each costs some 20 µs. */
const pieceBytes = 1024 * 1024;

/** Writes responses, and cuts the clients that don't read them. */
export interface Writer {
  write(outgoing: ServerResponse, response: PlainResponse): void;
  /** Cuts the clients that have read nothing of their response for so long, in milliseconds. */
  cutUnread(ms: number): void;
}

/** Writes each piece when the system has taken the one before. */
function writeInPieces(outgoing: ServerResponse, body: Uint8Array): void {
  const rest = body.subarray(pieceBytes);
  if (rest.length === 0) outgoing.end(body);
  else if (outgoing.write(body.subarray(0, pieceBytes))) writeInPieces(outgoing, rest);
  else outgoing.once('drain', () => writeInPieces(outgoing, rest));
}

export function createWriter(): Writer {
  /** Responses of which the system couldn't take all, because their clients don't read, and when it last took a piece. */
  const unread = new Map<ServerResponse, number>();

  function watch(outgoing: ServerResponse): void {
    unread.set(outgoing, performance.now());
    const cut = setTimeout(() => outgoing.destroy(), maxUnreadMs).unref();
    outgoing.on('drain', () => {
      unread.set(outgoing, performance.now());
      cut.refresh();
    });
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
      if (!hasBody || body.length <= pieceBytes) outgoing.end(body);
      else writeInPieces(outgoing, typeof body === 'string' ? Buffer.from(body) : body);
      if (!outgoing.writableEnded || outgoing.socket?.writableLength) watch(outgoing);
    },
    cutUnread(ms) {
      const now = performance.now();
      for (const [outgoing, since] of unread) if (now > since + ms) outgoing.destroy();
    },
  };
}
