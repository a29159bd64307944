import { dirname } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type Taken, without } from '../../scripts/without.ts';

// The compiler reads all sources each time.
vi.setConfig({ testTimeout: 120_000 });

/** The folders of each room in `packages`, and the most files and lists with a line of it that it may have. */
const rooms: Record<string, { folders: string[]; files: number; lists: number }> = {
  callbacks: {
    folders: [
      'cli/src/commands/callbacks',
      'core/src/features/callbacks',
      'server/src/features/callbacks',
      'server/src/features/console/callbacks',
      'suites/src/store/callbacks',
    ],
    files: 17,
    lists: 13,
  },
  webhooks: {
    folders: [
      'cli/src/commands/webhooks',
      'core/src/features/webhooks',
      'server/src/features/console/webhooks',
      'server/src/features/webhooks',
      'suites/src/store/webhooks',
    ],
    files: 18,
    lists: 14,
  },
  reports: {
    folders: [
      'cli/src/commands/reports',
      'core/src/features/reports',
      'server/src/features/console/reports',
      'server/src/features/reports',
      'suites/src/store/reports',
    ],
    files: 20,
    lists: 7,
  },
  mcp: { folders: ['cli/src/commands/mcp'], files: 8, lists: 1 },
  catalog: {
    folders: [
      'cli/src/commands/catalog',
      'core/src/features/catalog',
      'core/src/features/catalog/prices',
      'server/src/features/catalog',
      'server/src/features/catalog/prices',
      'server/src/features/console/catalog',
      'suites/src/store/catalog',
    ],
    files: 36,
    lists: 8,
  },
  prices: {
    folders: ['core/src/features/catalog/prices', 'server/src/features/catalog/prices'],
    files: 2,
    lists: 2,
  },
  sandbox: {
    folders: [
      'cli/src/commands/mcp',
      'cli/src/commands/sandbox',
      'core/src/features/sandbox',
      'server/src/features/console/sandbox',
      'server/src/features/sandbox',
    ],
    files: 44,
    lists: 5,
  },
  traces: { folders: ['server/src/features/traces'], files: 2, lists: 1 },
};

const foldersOf = ({ files }: Taken): string[] =>
  [...new Set(files.map((file) => dirname(file).replace('packages/', '')))].sort();

describe('removing a room', () => {
  it.each(Object.entries(rooms))('%s', async (name, { folders, files, lists }) => {
    const taken = await without([name]);
    expect(taken.errors).toBe('');
    expect(foldersOf(taken)).toEqual(folders);
    expect(taken.files.length).toBeLessThanOrEqual(files);
    expect(taken.lists.length).toBeLessThanOrEqual(lists);
  });

  it('removes the console with the pages of other rooms', async () => {
    const taken = await without(['console']);
    expect(taken.errors).toBe('');
    expect(taken.files).toContain('packages/server/src/features/console/webhooks/webhooks.ts');
    expect(taken.lists.length).toBeLessThanOrEqual(7);
  });

  it('removes all rooms together', async () => {
    const { errors } = await without([...Object.keys(rooms), 'console']);
    expect(errors).toBe('');
  });
});

it('finds a room that the house imports', async () => {
  const { errors } = await without(['webhooks'], (tree) =>
    tree.insert(
      'packages/server/src/edge/close.ts',
      'import',
      "export { webhooks } from '../features/webhooks/feature.ts';\n",
    ),
  );
  expect(errors).toContain('packages/server/src/edge/close.ts');
});
