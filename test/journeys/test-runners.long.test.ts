import { expect, it } from 'vitest';
import { blocksOf } from '../docs/blocks.ts';
import { beginJourney, journeyOptions } from './helpers/journey.ts';

/** The other runners of the page: where each has its functions, its command, and what it prints. */
const others = [
  { from: 'node:test', command: 'npx bun test ', passed: /^ 2 pass$/m },
  { from: 'bun:test', command: 'npx bun test ', passed: /^ 2 pass$/m },
  { from: 'node:test', command: 'npx deno test --no-check ', passed: /2 passed \| 0 failed/ },
  { from: 'mocha', command: 'npx mocha ', passed: /2 passing/ },
  { from: undefined, command: 'npx jasmine ', passed: /2 specs, 0 failures/ },
];

it('runs the same tests in node:test, Bun, Deno, Mocha and Jasmine', journeyOptions, async () => {
  await using journey = await beginJourney('Frontend developer, node:test and others', ['sdk', 'mock']);
  const [test = ''] = blocksOf('docs/test-runners.md', 'js', 1);

  await journey.write({ 'package.json': '{ "private": true, "type": "module" }', 'order.test.js': test });
  await journey.type(
    'npm install mocha@12 jasmine@7 bun@1.4 deno@2.9 ../packed/topup-kit-sdk.tgz ../packed/topup-kit-mock.tgz',
  );
  expect(await journey.type('node --test order.test.js')).toMatch(/pass 2$/m);
  await journey.succeed();

  for (const [number, { from, command, passed }] of others.entries()) {
    const imported = from === undefined ? '' : `import { beforeEach, it } from '${from}';`;
    const file = `order-${number}.test.js`;
    await journey.write({ [file]: test.replace("import { beforeEach, it } from 'node:test';", imported) });
    // Bun prints its results on the standard error.
    expect(await journey.type(`${command}${file} 2>&1`)).toMatch(passed);
  }
});
