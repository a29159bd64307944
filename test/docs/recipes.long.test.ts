import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from './blocks.ts';
import { copyTree, type TreeCopy } from './copy-tree.ts';

const page = readFileSync(join(root, 'RECIPES.md'), 'utf8');

/** A recipe of the page, with the steps that a contributor reads. */
function recipeOf(title: string) {
  const [, text = ''] =
    new RegExp(`^## ${title}\\n\\n([\\s\\S]*?)\\n(?=## |$(?![\\s\\S]))`, 'm').exec(page) ?? [];
  return {
    /** The commands that it names, in its order. */
    commands: [...text.matchAll(/`(npx -y pnpm@12 [^`]+)`/g)].map(([, command = '']) => command),
    /** Fails unless the recipe names this file or folder. */
    names(path: string): string {
      expect(text).toContain(path.replace('packages/', ''));
      return path;
    },
  };
}

/** The files in which the compiler finds errors. */
async function filesWithErrors({ run }: TreeCopy): Promise<string[]> {
  const { printed } = await run(
    'node node_modules/typescript-7/bin/tsc -p tsconfig.json --incremental --tsBuildInfoFile types.tsbuildinfo',
  );
  return [
    ...new Set([...printed.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file = '']) => file)),
  ].sort();
}

const quickTests = 'node node_modules/vitest/vitest.mjs run --project=quick';

/** The test files that fail, of these or of all quick ones; the end of the output where none ran. */
async function failures({ run }: TreeCopy, ...files: string[]): Promise<string[]> {
  const { ok, printed } = await run(`${quickTests} ${files.join(' ')}`);
  const failed = [...printed.matchAll(/FAIL.*? (\S+\.test\.ts)/g)].map(([, file = '']) => file);
  return ok || failed.length > 0 ? [...new Set(failed)] : [printed.slice(-2_000)];
}

let tree: TreeCopy;
beforeAll(async () => {
  tree = await copyTree();
}, 60_000);
afterAll(() => tree[Symbol.asyncDispose](), 60_000);

it('names every required step in the recipe of an error code', { timeout: 300_000 }, async () => {
  const recipe = recipeOf('Adding an error code');
  const [contract, routes, sdk] = [
    'packages/core/src/contract/errors.ts',
    'packages/core/src/contract/routes.ts',
    'packages/sdk/src/errors/error-codes.ts',
  ].map(recipe.names);
  const raises = 'packages/core/src/engine/orders/choose.ts';

  await tree.insert(
    contract ?? '',
    '  GAME_CLOSED: {',
    `  GAME_PAUSED: {
    status: 404,
    group: 'notFound',
    source: 'ours',
    field: 'game',
    message: { id: 'Game ini dijeda sampai {until}.', en: 'This game is paused until {until}.' },
    params: { until: '08:00' },
  },
`,
  );
  const closed = "  if (!game.status) throw new DomainError('GAME_CLOSED');";
  await tree.insert(raises, closed, "  if (game.slug === 'paused') throw new DomainError('GAME_PAUSED');\n");
  // No operation can return it, no value for its placeholder, no place in the SDK's table.
  expect(await filesWithErrors(tree)).toEqual([routes, raises, sdk].toSorted());

  await tree.insert(routes ?? '', "  'GAME_CLOSED',", "  'GAME_PAUSED',\n");
  await tree.insert(raises, "'GAME_PAUSED');", "'GAME_PAUSED', { params: { until: '08:00' } });//");
  await tree.insert(sdk ?? '', '  GAME_CLOSED: true,', '  GAME_PAUSED: true,\n');
  expect(await failures(tree, 'packages/sdk/test/docs/errors-page.test.ts')).toHaveLength(1);

  await tree.insert(
    recipe.names('docs/errors.md'),
    '### <a id="GAME_CLOSED">',
    '### <a id="GAME_PAUSED"></a>GAME_PAUSED\n\n404. The game is paused until the time in the message.\n\n',
  );
  expect(recipe.commands).toHaveLength(2);
  for (const command of recipe.commands) expect(await tree.run(command)).toMatchObject({ ok: true });

  expect(await filesWithErrors(tree)).toEqual([]);
});

it('names each step in the recipe of a command', { timeout: 300_000 }, async () => {
  const recipe = recipeOf('Adding a command or a flag');
  recipe.names('cli/src/commands');
  recipe.names('commands/<noun>/<noun>.ts');

  await tree.write(
    'packages/cli/src/commands/promos/count.ts',
    `import { defineCommand } from '../../define-command.ts';
import { list } from '../../output/table.ts';
import { storeOption, withOperatorStore } from '../../store/open.ts';

export const count = defineCommand({
  name: 'count',
  description: 'Show how many promos there are',
  build: (command) => command.option(...storeOption),
  example: 'promos count',
  async run(context, options) {
    await withOperatorStore(context, options, async ({ store }) => {
      const promos = (await store.readCatalog())?.promos.length ?? 0;
      await context.print({
        document: { promos },
        screen: (style) => list([['Promos', String(promos)]], style),
      });
    });
  },
});
`,
  );
  const noun = 'packages/cli/src/commands/promos/promos.ts';
  await tree.insert(noun, "import { list } from './list.ts';", "import { count } from './count.ts';\n");
  await tree.insert(noun, 'list, create,', 'count, ');
  expect(await failures(tree, 'packages/cli/test/help.test.ts')).toHaveLength(1);

  expect(recipe.commands).toHaveLength(1);
  for (const command of recipe.commands) expect(await tree.run(command)).toMatchObject({ ok: true });

  expect(await filesWithErrors(tree)).toEqual([]);
  // The tests that the recipe names, which start programs.
  for (const name of ['usage.test.ts', 'completion.test.ts']) {
    const { ok, printed } = await tree.run(
      `node node_modules/vitest/vitest.mjs run packages/cli/test/${recipe.names(name)}`,
    );
    expect({ ok, printed: ok ? '' : printed }).toEqual({ ok: true, printed: '' });
  }
});

it('passes the quick tests after both recipes, so that no step is missing', {
  timeout: 300_000,
}, async () => {
  expect(await failures(tree)).toEqual([]);
});
