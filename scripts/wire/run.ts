/**
 * `pnpm wire COMMIT`: sends the same requests to the server of that commit and to this one (malformed requests, the cases of conformance,
 * damaged bytes and random journeys), and compares their responses byte by byte. Both have a fixed time. Names that a server draws at
 * random, such as ids of orders, are numbered in the order in which they appear.
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkOut } from '../../bench/other-commit.ts';
import { freePort } from '../../test/free-port.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const [commit, count = '2000', seed = '1'] = process.argv.slice(2);
if (commit === undefined) throw new Error('Name the commit to compare with: pnpm wire COMMIT [COUNT] [SEED]');
// Both use the same port, because it is in URLs, and these affect ETags.
const port = String(await freePort());

async function record(folder: string): Promise<string[]> {
  const node = ['--conditions=@topup-kit/source', '--import', here('steady.mjs'), here('record.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, [...node, folder, port, count, seed], {
    maxBuffer: 2 ** 30,
  });
  return JSON.parse(stdout);
}

await using other =
  commit === '.'
    ? { folder: repository, name: 'itself', [Symbol.asyncDispose]: async () => {} }
    : await checkOut(commit);
// Cases that wait for a moment see other states in each run, so two runs of the old server show what it may send.
const before = new Set([...(await record(other.folder)), ...(await record(other.folder))]);
const after = await record(repository);
const differences = after.filter((exchange) => !before.has(exchange));
if (differences.length > 0) {
  await mkdir('reports', { recursive: true });
  await writeFile('reports/wire.txt', differences.join('\n\n########\n\n'));
  process.stdout.write(
    `${differences.length} of ${after.length} exchanges differ from ${other.name}; see reports/wire.txt. The first:\n\n${differences[0]}\n`,
  );
  process.exitCode = 1;
} else process.stdout.write(`${after.length} exchanges: the same bytes as ${other.name}.\n`);
