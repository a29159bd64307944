import { connect } from 'node:net';

export interface Reply {
  status: number;
  /** Seconds in `Retry-After`; null without this header. */
  retryAfter: number | null;
  body: string;
}

/** Keep-alive connection that sends one request at a time. */
export interface Connection {
  /** Rejects if the connection breaks before the whole response has arrived. */
  send(request: string): Promise<Reply>;
  close(): void;
}

const head = /^HTTP\/1\.1 (\d{3}) /;
const lengthOf = /\r\ncontent-length: (\d+)/i;
const isLast = /\r\nconnection: close/i;
const retryAfterOf = /\r\nretry-after: (\d+)/i;

interface Waiting {
  request: string;
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
}

/**
 * Speaks only the necessary part of HTTP over a bare socket, because a real client costs more than the server that it should overload. It
 * connects again if the server closed the connection after a response.
 */
export function openConnection(port: number): Connection {
  let socket: ReturnType<typeof connect> | undefined;
  let waiting: Waiting | undefined;
  let text = '';
  /** True if the socket has received a response. */
  let isReused = false;

  function fail(error: Error): void {
    // A server may close an idle connection while the next request is in flight; a client sends such a request again.
    const canSendAgain = isReused && text === '' && waiting !== undefined;
    socket = undefined;
    text = '';
    isReused = false;
    if (canSendAgain) {
      socket = open();
      socket.write(waiting?.request ?? '');
      return;
    }
    waiting?.reject(error);
    waiting = undefined;
  }

  function read(chunk: string): void {
    text += chunk;
    const end = text.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = Number(lengthOf.exec(text)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) {
      fail(new Error(`a response without Content-Length: ${text.slice(0, 300)}`));
      return;
    }
    if (text.length < end + 4 + length) return;
    const headers = text.slice(0, end);
    const status = Number(head.exec(headers)?.[1]);
    const retryAfter = retryAfterOf.exec(headers)?.[1];
    const body = text.slice(end + 4, end + 4 + length);
    text = '';
    isReused = true;
    if (isLast.test(headers)) {
      socket?.end();
      socket = undefined;
      isReused = false;
    }
    const { resolve } = waiting ?? {};
    waiting = undefined;
    resolve?.({ status, retryAfter: retryAfter === undefined ? null : Number(retryAfter), body });
  }

  function open(): ReturnType<typeof connect> {
    const opened = connect(port, '127.0.0.1');
    // Uses one character per byte, so that lengths match the headers.
    opened.setEncoding('latin1');
    opened.setNoDelay();
    opened.on('data', read);
    opened.on('error', (error) => socket === opened && fail(error));
    opened.on('close', () => socket === opened && fail(new Error('the server closed the connection')));
    return opened;
  }

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { request, resolve, reject };
        socket ??= open();
        socket.write(request);
      }),
    close: () => void socket?.destroy(),
  };
}
