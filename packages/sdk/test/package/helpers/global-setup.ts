import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type InstalledPackage, installClient } from '../../../../../scripts/pack.ts';

declare module 'vitest' {
  export interface ProvidedContext extends InstalledPackage {}
}

/** Packs and installs the package once for all tests of this folder. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'topup-kit-sdk-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const { project, tarball } = await installClient(folder);
    provide('project', project);
    provide('tarball', tarball);
    return remove;
  } catch (error) {
    await remove();
    throw error;
  }
}
