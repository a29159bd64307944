/**
 * Loaded before a server that doesn't know the bench. Makes the server listen on loopback only, regardless of its default, and tells the
 * bench when it listens.
 */
import { type ListenOptions, Server } from 'node:net';
import { reportToBench } from './report-to-bench.ts';

delete process.send;

const { listen } = Server.prototype;
let isReported = false;

Server.prototype.listen = function (this: Server, ...args: unknown[]) {
  const [first] = args;
  // Safe: an object argument of `listen` contains options; otherwise the argument is a port.
  const options: ListenOptions =
    typeof first === 'object' && first !== null ? (first as ListenOptions) : { port: Number(first) };
  this.once('listening', () => {
    const address = this.address();
    if (isReported || typeof address !== 'object' || address === null) return;
    isReported = true;
    reportToBench(`http://127.0.0.1:${address.port}`);
  });
  const listener = args.find((arg) => typeof arg === 'function');
  return listen.call(
    this,
    { ...options, host: '127.0.0.1' },
    // Safe: the only function among the arguments of `listen` is its listener.
    listener as (() => void) | undefined,
  );
};
