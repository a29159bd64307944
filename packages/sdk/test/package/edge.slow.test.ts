import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../../../scripts/run.ts';
import { clientProject, slowOnly } from '../../../../test/shared.ts';
import { bundle, nodeGlobalsIn } from '../../scripts/bundle.ts';
import { consumer, firstOrder, firstOrderSeen, readyResponses } from './helpers/consumer.ts';

const workerd = await slowOnly('workerd/bin/workerd');

const config = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed "worker.js")],
    compatibilityDate = "2026-01-01",
  ))],
);`;

it.each(['@topup-kit/sdk', '@topup-kit/sdk/light'])('places an order in workerd with %s', async (entry) => {
  const folder = await consumer({ 'responses.json': await readyResponses(), 'config.capnp': config });
  const worker = await bundle(
    `import * as sdk from '${entry}';
    import responses from './responses.json';
    ${firstOrder}
    export default { test: async () => console.log(JSON.stringify(await firstOrder(sdk, responses))) };`,
    folder,
  );
  await writeFile(join(folder, 'worker.js'), worker);

  // Its own program, or a script that starts it: which of them depends on how it was installed.
  const printed = await run(workerd, ['test', 'config.capnp'], { cwd: folder });

  expect(printed).toContain(JSON.stringify(firstOrderSeen));
});

it.each(['@topup-kit/sdk', '@topup-kit/sdk/light', '@topup-kit/sdk/proxy'])(
  'bundles %s without a module or global of Node',
  async (entry) => {
    const bundled = await bundle(`export * from '${entry}';`, await clientProject());

    expect(nodeGlobalsIn(bundled)).toEqual([]);
  },
);
