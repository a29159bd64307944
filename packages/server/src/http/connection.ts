import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import type { Connection } from '@topup-kit/core/app';

/** What the app is told of the connection that a request came over. */
export const connectionOf = (request: IncomingMessage): Connection => ({
  address: request.socket.remoteAddress ?? '',
});

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether a connection comes from this very machine. */
export const isLoopback = ({ address }: Connection): boolean =>
  loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
