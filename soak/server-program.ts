import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../packages/server/test/helpers/sandbox.ts';
import { type StartServerProcess, serverStarter } from '../packages/server/test/helpers/spawn-server.ts';
import { bundleForNode } from '../test/bundle-for-node.ts';

/** Bundles a server program. Passes on a function that starts it, and a folder for its files; both are deleted afterwards. */
export async function withServerProgram<Result>(
  work: (start: StartServerProcess, folder: string) => Promise<Result>,
  {
    program = new URL('../packages/server/test/helpers/serve.ts', import.meta.url),
    nodeOptions = [],
  }: { program?: URL; nodeOptions?: readonly string[] } = {},
): Promise<Result> {
  await using folder = await temporaryFolder();
  const bundle = await bundleForNode(fileURLToPath(program), `${folder.path}/program`);
  return await work(serverStarter(bundle, nodeOptions), folder.path);
}
