import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { judgeReceiver, serve } from '../helpers.ts';

const harness = fileURLToPath(new URL('../harness/worker.mjs', import.meta.url));

export async function judge(folder: string): Promise<void> {
  // Fails where the Worker imports a module of Node.
  await build({
    entryPoints: [join(folder, 'worker.mjs')],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    conditions: ['workerd', 'worker'],
    logLevel: 'silent',
  });
  await using server = await serve(folder, ['node', harness]);
  await judgeReceiver(server);
}
