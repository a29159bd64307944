import { resolve } from 'node:path';
import { secureRandom } from '@topup-kit/core/platform';
import { createSecretBox } from '../../config/secret-cipher.ts';
import { sha256Hex } from '../../service/sha256.ts';
import type { Site } from '../../service/site.ts';
import { backUpBeside } from '../../sqlite/index.ts';
import { hasConsole, takesLogins } from './access.ts';
import { mountConsole } from './console.ts';
import { mountLogin } from './login.ts';
import { splitApp } from './own-port.ts';
import { worldOfCookie } from './world.ts';

/** Quotes a string for a POSIX shell if necessary. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The console, with the state of the shop and the operators' actions. */
export const consoleSite: Site = {
  doorOf: (config) => (hasConsole(config) ? { takesLogins: takesLogins(config) } : null),
  worldOf: worldOfCookie,
  split: splitApp,
  mount(router, { config, logger, count, ...host }) {
    const { mode, console, store: address } = config;
    const { store, url, realClock, closing } = host;
    const admit = mountLogin(router, {
      store,
      url,
      count,
      realClock,
      logger,
      mode,
      console,
      random: secureRandom,
      hash: sha256Hex,
    });
    mountConsole(router, {
      ...host,
      seal: createSecretBox(config).seal,
      storeKind: address.kind,
      storeFlag: address.kind === 'file' ? ` --store ${shellWord(`file:${resolve(address.path)}`)}` : '',
      backUp: address.kind === 'file' ? () => backUpBeside(address.path, { signal: closing }) : null,
      logAction: (done) => logger.info(done, 'an operator did something in the console'),
      admit,
    });
  },
};
