import { connect } from 'node:net';

export interface RawResponse {
  /** All that the server sent. */
  text: string;
  /** The status of each response, such as `HTTP/1.1 400`. */
  statuses: string[];
  /** How the connection ended: closed by the server, reset, or still open when the test gave up. */
  end: 'closed' | 'reset' | 'open';
}

/** Sends bytes over a socket of their own, in the given pieces, and reads until the server closes the connection. */
export const sendRaw = (
  url: string,
  pieces: string | readonly string[],
  { waitMs = 1_500, pauseMs = 20 }: { waitMs?: number; pauseMs?: number } = {},
): Promise<RawResponse> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let text = '';
    const done = (end: RawResponse['end']): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, end, statuses: [...text.matchAll(/(HTTP\/1\.1 \d{3}) /g)].map(([, one = '']) => one) });
    };
    const timer = setTimeout(() => done('open'), waitMs);
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('end', () => done('closed'));
    socket.on('error', () => done('reset'));
    const rest = typeof pieces === 'string' ? [pieces] : [...pieces];
    const sendNext = (): void => {
      const piece = rest.shift();
      if (piece === undefined || socket.destroyed) return;
      socket.write(piece, 'latin1');
      setTimeout(sendNext, pauseMs);
    };
    socket.once('connect', sendNext);
  });
