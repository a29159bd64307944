import { connect } from 'node:net';

/**
 * How long to wait for more, in milliseconds: longer than a response takes on a busy machine. A server waits up to 11 s for the rest
 * of a request that was cut; how long, is what the tests of its time-outs are about.
 */
const quietMs = 1_000;

/** Sends bytes over a connection of their own; returns all that came back until the server closed it, or said no more. */
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
    // A reset is how a server may end what it doesn't read.
    socket.on('error', () => {});
    socket.on('close', () => resolve({ text, isClosed }));
    socket.end(bytes, 'latin1');
  });
