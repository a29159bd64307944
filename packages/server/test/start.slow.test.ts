import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox, temporaryFolder } from './helpers/sandbox.ts';

it('a store with a damaged page is named in the error, whichever page it is', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'topup.db');
  const environment = { TOPUP_STORE: `file:${path}`, TOPUP_LOG_LEVEL: 'silent' };
  await (await startSandbox(environment)).close();
  const whole = await readFile(path);
  const pages = whole.length / 4_096;
  let rejected = 0;
  for (let page = 1; page < pages; page += 1) {
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
}, 60_000);
