import { connect } from 'node:net';

/**
 * Time to wait for more data, in milliseconds: longer than a response takes on a busy machine. A server waits up to 11 s for the rest of an
 * incomplete request; the tests of its timeouts check this time.
 */
const quietMs = 1_000;

/** Sends bytes over a separate connection. Returns all received data until the server closed the connection or sent no more. */
export const exchange = (port: number, bytes: string): Promise<{ text: string; isClosed: boolean }> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let isClosed = true;
    socket.setTimeout(quietMs, () => {
      isClosed = false;
      socket.destroy();
    });
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    // A server may reset a connection with data that it doesn't read.
    socket.on('error', () => {});
    socket.on('close', () => resolve({ text, isClosed }));
    socket.end(bytes, 'latin1');
  });
