import { logWarning } from './console.ts';
import type { MockConfig } from './options.ts';
import { sha256Hex } from './random.ts';
import { createWorlds, type MockSnapshot, type Worlds } from './world/worlds.ts';

type PageStorage = Record<'getItem', (key: string) => string | null> &
  Record<'removeItem', (key: string) => void> &
  Record<'setItem', (key: string, value: string) => void>;

/** A page's storage until its tab is closed; undefined outside of pages, and where the page may not use it. */
function pageStorage(): PageStorage | undefined {
  // safe: it has what a page has, or nothing of it
  const page = globalThis as { document?: object; sessionStorage?: PageStorage };
  try {
    return page.document && page.sessionStorage;
  } catch {
    return undefined;
  }
}

/** What is kept: the state, and of which options it is. */
interface Kept extends MockSnapshot {
  options?: string | undefined;
}

/** The world that a page had before its reload, and what keeps it for the next one. Without a page, nothing is kept. */
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
      // safe: what reads a snapshot throws errors alone
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
