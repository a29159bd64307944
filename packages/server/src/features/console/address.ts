import { ownPaths } from '@topup-kit/core/app';
import type { ConsoleSettings } from '../../config/config.ts';
import { urlOf } from '../../edge/listen.ts';

/**
 * Returns the URL of the console according to the settings. A console with its own port is reachable only from the server's machine.
 *
 * @example
 * consoleUrl(readConsoleSettings({ TOPUP_PUBLIC_URL: 'https://shop.example' })); // 'https://shop.example/console'
 */
export function consoleUrl({ host, port, publicUrl, consolePort }: Omit<ConsoleSettings, 'console'>): string {
  const server = consolePort === undefined ? (publicUrl ?? urlOf(host, port)) : urlOf(host, consolePort);
  return server + ownPaths.console;
}
