import { once } from 'node:events';
import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { ConfigError } from '../config/variable.ts';

const reasons: Record<string, string> = {
  EADDRINUSE: 'is already taken by another program; stop it, or set PORT (or --port) to a free one',
  EACCES: 'may not be opened by this user; set PORT (or --port) to one above 1023',
  EADDRNOTAVAIL: 'is not an address of this machine; set HOST (or --host)',
  ENOTFOUND: 'is not an address of this machine; set HOST (or --host)',
};

/** Addresses that mean all of the machine's are reached as this machine. */
const everywhere = new Set(['0.0.0.0', '::']);

function urlOf(host: string, port: number): string {
  const reachable = everywhere.has(host) ? '127.0.0.1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * Opens a port.
 *
 * @returns the URL under which this machine reaches it.
 * @throws ConfigError when the port or the address can't be had.
 */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = reasons[code];
    throw reason === undefined ? error : new ConfigError(`${host}:${port} ${reason}.`);
  }
  const address = server.address();
  return urlOf(host, typeof address === 'object' && address !== null ? address.port : port);
}
