import type { Command } from 'commander';
import { exitCodes } from './errors/exit-codes.ts';
import { Problem, usageProblem } from './errors/problem.ts';
import type { GlobalOptions } from './global-options.ts';
import { type Io, setting } from './io.ts';

/** The service to ask, and where its address and its key come from. */
export interface Connection {
  baseUrl: string;
  urlFrom: '--base-url' | 'TOPUP_BASE_URL' | 'default';
  apiKey: string;
  keyFrom: 'TOPUP_API_KEY' | 'sandbox';
}

/** Where `topup serve --sandbox` answers when nothing is configured. */
export const sandboxBaseUrl = 'http://127.0.0.1:4000/api';

function chooseBaseUrl(io: Io, command: Command): Pick<Connection, 'baseUrl' | 'urlFrom'> {
  const { baseUrl } = command.optsWithGlobals<GlobalOptions>();
  if (baseUrl !== undefined) return { baseUrl, urlFrom: '--base-url' };
  const configured = setting(io, 'TOPUP_BASE_URL');
  if (configured !== undefined) return { baseUrl: configured, urlFrom: 'TOPUP_BASE_URL' };
  return { baseUrl: sandboxBaseUrl, urlFrom: 'default' };
}

export const invalidBaseUrl = ({ urlFrom }: Pick<Connection, 'urlFrom'>): Problem =>
  usageProblem(
    `${urlFrom} takes an http(s) URL such as https://shop.example/api.`,
    'Leave out credentials, query and fragment; the key goes into TOPUP_API_KEY.',
  );

/** Whether an address is this machine's own. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** Chooses what to ask and with which key; the well-known key of sandboxes goes to this machine alone. */
export async function chooseConnection(io: Io, command: Command): Promise<Connection> {
  const address = chooseBaseUrl(io, command);
  const url = URL.parse(address.baseUrl);
  if (url === null) throw invalidBaseUrl(address);
  const apiKey = setting(io, 'TOPUP_API_KEY');
  if (apiKey !== undefined) return { ...address, apiKey, keyFrom: 'TOPUP_API_KEY' };
  if (!isLoopback(url)) {
    throw new Problem(`No key for ${url.origin}, so nothing was sent.`, {
      code: 'NO_API_KEY',
      exitCode: exitCodes.auth,
      hint: 'Put the key that the service gave you into the variable TOPUP_API_KEY.',
    });
  }
  const { sandboxKey } = await import('@topup-kit/core/engine');
  return { ...address, apiKey: sandboxKey, keyFrom: 'sandbox' };
}
