import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startSandbox, temporaryFolder } from './sandbox.ts';

/** Damages each `every`-th page of a store in turn, and expects that a server that reads it names it when it starts. */
export async function expectDamageNamed(every: number): Promise<void> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'topup.db');
  const environment = { TOPUP_STORE: `file:${path}`, TOPUP_LOG_LEVEL: 'silent' };
  await (await startSandbox(environment)).close();
  const whole = await readFile(path);
  const pages = whole.length / 4_096;
  let rejected = 0;
  for (let page = 1; page < pages; page += every) {
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, page * 4_096, page * 4_096 + 12);
    await writeFile(path, damaged);
    try {
      // A page that isn't read yet does no harm.
      await (await startSandbox(environment)).close();
    } catch (error) {
      rejected += 1;
      expect(error).toMatchObject({
        name: 'StoreFileError',
        problem: 'damaged',
        message: expect.stringMatching(/topup\.db is damaged(: column \w+ holds [\w ]+)?\.$/),
      });
    }
  }
  expect(rejected).toBeGreaterThan(0);
}
