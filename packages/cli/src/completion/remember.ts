import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@topup-kit/server/internal/folders';
import type { Io } from '../io.ts';
import { cacheFolder } from '../settings/config-path.ts';
import type { Suggestion } from './suggestion.ts';

/** Long enough for a command line to be typed. */
const lifetime = 60_000;

function recall(path: string): Suggestion[] | undefined {
  try {
    const age = Date.now() - statSync(path).mtimeMs;
    // safe: nobody but this writes the file, in a folder of the user's own
    return age < lifetime ? (JSON.parse(readFileSync(path, 'utf8')) as Suggestion[]) : undefined;
  } catch {
    return undefined;
  }
}

/** Asks once a minute at most; what is asked and with which key is kept as a hash alone. */
export async function remembered(
  io: Io,
  question: readonly string[],
  ask: () => Promise<Suggestion[]>,
): Promise<Suggestion[]> {
  const folder = join(cacheFolder(io), 'completion');
  const path = join(folder, createHash('sha256').update(JSON.stringify(question)).digest('hex').slice(0, 32));
  const known = recall(path);
  if (known) return known;
  const asked = await ask();
  try {
    makeFolder(folder);
    writeFileSync(path, JSON.stringify(asked), { mode: 0o600 });
  } catch {
    // Then it is asked anew the next time.
  }
  return asked;
}
