import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one test file, deleted when it is disposed of. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'topup-cli-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
