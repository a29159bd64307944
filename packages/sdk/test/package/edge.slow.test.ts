import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../../../scripts/run.ts';
import { clientProject, slowOnly } from '../../../../test/shared.ts';
import { bundle, nodeGlobalsIn } from '../../scripts/bundle.ts';
import { consumer, firstOrder, firstOrderSeen, readyResponses } from './helpers/consumer.ts';

const workerd = await slowOnly('workerd/bin/workerd');

/** Workers keep what their runtime could do at their date. */
const dates = ['2023-01-01', '2024-01-01', '2026-01-01'];
const clients = ['@topup-kit/sdk', '@topup-kit/sdk/light'];

const configOf = (date: string): string => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed "worker.js")],
    compatibilityDate = "${date}",
  ))],
);`;

it.each(clients.flatMap((entry) => dates.map((date) => [entry, date] as const)))(
  'places an order with %s in workerd of %s',
  async (entry, date) => {
    const folder = await consumer({
      'responses.json': await readyResponses(),
      'config.capnp': configOf(date),
    });
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
  },
);

it.each([...clients, '@topup-kit/sdk/proxy', '@topup-kit/sdk/worlds'])(
  'bundles %s without a module or global of Node',
  async (entry) => {
    const bundled = await bundle(`export * from '${entry}';`, await clientProject());

    expect(nodeGlobalsIn(bundled)).toEqual([]);
  },
);
