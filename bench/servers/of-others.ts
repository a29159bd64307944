/**
 * Loaded before a server that knows nothing of the bench. Makes it listen on loopback only, whatever its default is, and tells the
 * bench when it listens.
 */
import { type ListenOptions, Server } from 'node:net';
import { reportToBench } from './report-to-bench.ts';

delete process.send;

const { listen } = Server.prototype;
let isReported = false;

Server.prototype.listen = function (this: Server, ...args: unknown[]) {
  const [first] = args;
  // safe: `listen` takes an object only with options, and else a port
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
    // safe: the only function that `listen` takes is its listener
    listener as (() => void) | undefined,
  );
};
