import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publishedNames, tarballOf } from './pack.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

interface Manifest {
  name: string;
  version: string;
  repository: { url: string };
}

/**
 * Returns the reason why a package can't be published as it is; undefined if it can. The registry compares the repository with the one in
 * which the workflow runs, so a placeholder would fail there after other packages have been published.
 */
export function obstacle({ name, repository }: Manifest): string | undefined {
  const { hostname } = new URL(repository.url.replace(/^git\+/, ''));
  return hostname.endsWith('.example')
    ? `${name}: repository.url is still the placeholder ${repository.url}. Set repository, homepage and bugs in packages/*/package.json to the real address, then release.`
    : undefined;
}

const npm = async (...args: string[]): Promise<string> => (await promisify(execFile)('npm', args)).stdout;

const isPublished = ({ name, version }: Manifest): Promise<boolean> =>
  npm('view', `${name}@${version}`, 'version').then(
    (printed) => printed.trim() !== '',
    (error: Error) => {
      if (error.message.includes('E404')) return false;
      throw error;
    },
  );

/** Publishes the tarballs of `packed/` whose version is not on the registry yet, with provenance. */
async function release(): Promise<void> {
  const manifests = await Promise.all(
    publishedNames.map(async (folder) => ({
      tarball: join(root, 'packed', tarballOf(folder)),
      // Safe: the tests of the published packages check every package.json.
      manifest: JSON.parse(
        await readFile(join(root, 'packages', folder, 'package.json'), 'utf8'),
      ) as Manifest,
    })),
  );
  const obstacles = manifests.flatMap(({ manifest }) => obstacle(manifest) ?? []);
  if (obstacles.length > 0) throw new Error(obstacles.join('\n'));
  for (const { manifest, tarball } of manifests)
    if (await isPublished(manifest))
      process.stdout.write(`${manifest.name} ${manifest.version} is published already\n`);
    else process.stdout.write(await npm('publish', tarball, '--access', 'public', '--provenance'));
}

if (import.meta.main) await release();
