import type { IncomingMessage } from 'node:http';
import type { Connection } from '@topup-kit/core/app';

/** What the app is told of the connection that a request came over. */
export const connectionOf = (request: IncomingMessage): Connection => ({
  address: request.socket.remoteAddress ?? '',
});
