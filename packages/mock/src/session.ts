import { logWarning } from './console.ts';
import type { MockConfig } from './options.ts';
import { sha256Hex } from './random.ts';
import { createWorlds, type MockSnapshot, type Worlds } from './world/worlds.ts';

type PageStorage = Record<'getItem', (key: string) => string | null> &
  Record<'removeItem', (key: string) => void> &
  Record<'setItem', (key: string, value: string) => void>;

/** Returns the storage that a page has until its tab is closed; undefined outside of pages, and if the page may not use it. */
function pageStorage(): PageStorage | undefined {
  // Safe: both properties are optional.
  const page = globalThis as { document?: object; sessionStorage?: PageStorage };
  try {
    return page.document && page.sessionStorage;
  } catch {
    return undefined;
  }
}

/** The stored state, and a hash of the options that it belongs to. */
interface Kept extends MockSnapshot {
  options?: string | undefined;
}

/** Restores the world that a page had before its reload. `keep` saves it for the next reload. Outside of a page, nothing is saved. */
export function openSession(config: MockConfig): {
  worlds: Worlds;
  keep(snapshot: () => MockSnapshot): void;
} {
  const storage = pageStorage();
  const key = `topup-kit mock ${config.baseUrl}`;

  // The options that determine the initial state of a mock.
  const options = storage && sha256Hex(JSON.stringify([config.catalog, config.scenario]));

  function readWorlds(): Worlds {
    const kept = storage?.getItem(key) ?? null;
    try {
      if (kept === null) return createWorlds(config);
      const { options: before = options, ...snapshot }: Kept = JSON.parse(kept);
      if (before !== options) throw new TypeError('The catalogue or the scenario of the mock has changed.');
      return createWorlds(config, snapshot);
    } catch (error) {
      storage?.removeItem(key);
      // Safe: code that reads a snapshot throws only instances of Error.
      logWarning(`The orders from before the reload were dropped. ${(error as Error).message}`);
      return createWorlds(config);
    }
  }

  return {
    worlds: readWorlds(),
    keep(snapshot) {
      if (!storage) return;
      globalThis.addEventListener('pagehide', () => {
        try {
          storage.setItem(key, JSON.stringify({ ...snapshot(), options } satisfies Kept));
        } catch {
          // The next page prints the warning, because this page is closed.
          storage.setItem(key, JSON.stringify({ format: "too large for the page's storage" }));
        }
      });
    },
  };
}
