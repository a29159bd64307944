import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from '../../../../scripts/run.ts';
import { slowOnly } from '../../../../test/shared.ts';
import { bundle } from '../../scripts/bundle.ts';
import { consumer, firstOrder, firstOrderSeen, readyResponses } from './helpers/consumer.ts';

const folderOf = async (name: string): Promise<string> => dirname(await slowOnly(`${name}/package.json`));
const bun = join(await folderOf('bun'), 'bin/bun.exe');
const deno = [join(await folderOf('deno'), 'bin.cjs'), 'run', '--no-prompt', '--node-modules-dir=manual'];
const hermes = join(await folderOf('hermes-engine-cli'), 'linux64-bin/hermes');

const print = 'firstOrder(sdk, responses).then((seen) => console.log(JSON.stringify(seen)));';

const scripts: Record<string, (entry: string) => string> = {
  'order.mjs': (entry) => `
    import * as sdk from '${entry}';
    import responses from './responses.json' with { type: 'json' };
    ${firstOrder}
    ${print}`,
  'order.cjs': (entry) => `
    const sdk = require('${entry}');
    const responses = require('./responses.json');
    ${firstOrder}
    ${print}`,
};

/** What React Native adds to Hermes, as far as the client needs it. The shell of Hermes has no time: a timer is next, or never. */
const nativeGlobals = `
globalThis.self = globalThis;
globalThis.navigator = { product: 'ReactNative' };
globalThis.performance = { now: () => Date.now() };
globalThis.console = { log: print, warn: print, error: print };
const next = globalThis.setTimeout;
globalThis.setTimeout = (run, delay) => (delay > 1000 ? 0 : next(run));
globalThis.clearTimeout = () => {};
globalThis.URL = class {
  constructor(text) {
    const [, protocol, host, pathname] = /^(https?:)\\/\\/([^/?#]+)([^?#]*)/.exec(text) ?? [];
    if (protocol === undefined) throw new TypeError('Invalid URL');
    Object.assign(this, { protocol, origin: protocol + '//' + host, pathname: pathname || '/', username: '', password: '' });
  }
};`;

/** Compiles for Hermes, as React Native does with Babel: it has no classes and no async functions. */
async function compileForHermes(code: string): Promise<string> {
  const babel = await import(pathToFileURL(await slowOnly('@babel/core')).href);
  const preset = [await slowOnly('@babel/preset-env'), { targets: 'ie 11', modules: false }];
  const compiled = await babel.transformAsync(code, { configFile: false, compact: true, presets: [preset] });
  return compiled.code;
}

describe.each(['@topup-kit/sdk', '@topup-kit/sdk/light'])('%s', (entry) => {
  it.each([
    ['Bun', 'order.mjs', bun, []],
    ['Bun, by require()', 'order.cjs', bun, []],
    ['Deno', 'order.mjs', process.execPath, deno],
  ])('places an order in %s', async (_name, file, program, args) => {
    const folder = await consumer({
      [file]: scripts[file]?.(entry) ?? '',
      'responses.json': await readyResponses(),
    });

    expect(JSON.parse(await run(program, [...args, file], { cwd: folder }))).toEqual(firstOrderSeen);
  });

  it('places an order in Hermes, and rejects a key there', async () => {
    const folder = await consumer({ 'responses.json': await readyResponses(), 'native.js': nativeGlobals });
    const polyfills = await Promise.all(['abort-controller/polyfill', 'whatwg-fetch'].map(slowOnly));
    // Its fetch has no Response.json, and without crypto an order needs a key.
    const order = firstOrder
      .replaceAll('Response.json(', 'json(')
      .replace(/(orders\.create\(.*?)\);/, "$1, { idempotencyKey: 'cart-17' });");
    const code = await bundle(
      `import './native.js';
      ${polyfills.map((path) => `import '${path}';`).join('\n')}
      import * as sdk from '${entry}';
      import responses from './responses.json';
      const json = (body, init) =>
        new Response(JSON.stringify(body), { ...init, headers: { 'Content-Type': 'application/json' } });
      ${order}
      function keyed() {
        try {
          return sdk.createTopupClient({ baseUrl: 'http://shop.test/api', apiKey: 'tk_live_1' });
        } catch (error) {
          return error.code;
        }
      }
      firstOrder(sdk, responses).then((seen) => print(JSON.stringify({ ...seen, keyed: keyed() })), print);`,
      folder,
    );
    await writeFile(join(folder, 'order.js'), await compileForHermes(code));

    const printed = await run(hermes, ['-w', 'order.js'], { cwd: folder });

    expect(JSON.parse(printed)).toEqual({ ...firstOrderSeen, keyed: 'API_KEY_IN_BROWSER' });
  });
});
