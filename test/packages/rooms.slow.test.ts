import { dirname } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type Taken, without } from '../../scripts/without.ts';

// The compiler reads all sources each time.
vi.setConfig({ testTimeout: 120_000 });

/** Where each room is, with the number of its files in each folder, and how many lists have a line of it. */
const rooms: Record<string, { folders: Record<string, number>; lists: number }> = {
  callbacks: {
    folders: {
      'packages/cli/src/commands/callbacks': 2,
      'packages/core/src/features/callbacks': 9,
      'packages/server/src/features/callbacks': 3,
      'packages/server/src/features/console/callbacks': 2,
      'packages/suites/src/store/callbacks': 1,
    },
    lists: 13,
  },
  webhooks: {
    folders: {
      'packages/cli/src/commands/webhooks': 4,
      'packages/core/src/features/webhooks': 6,
      'packages/server/src/features/console/webhooks': 2,
      'packages/server/src/features/webhooks': 5,
      'packages/suites/src/store/webhooks': 1,
    },
    lists: 14,
  },
  reports: {
    folders: {
      'packages/cli/src/commands/reports': 5,
      'packages/core/src/features/reports': 6,
      'packages/server/src/features/console/reports': 5,
      'packages/server/src/features/reports': 1,
      'packages/suites/src/store/reports': 1,
    },
    lists: 8,
  },
  mcp: { folders: { 'packages/cli/src/commands/mcp': 8 }, lists: 1 },
  catalog: {
    folders: {
      'packages/cli/src/commands/catalog': 12,
      'packages/core/src/features/catalog': 13,
      'packages/core/src/features/catalog/prices': 1,
      'packages/server/src/features/catalog': 2,
      'packages/server/src/features/catalog/prices': 1,
      'packages/server/src/features/console/catalog': 6,
      'packages/suites/src/store/catalog': 1,
    },
    lists: 8,
  },
  prices: {
    folders: {
      'packages/core/src/features/catalog/prices': 1,
      'packages/server/src/features/catalog/prices': 1,
    },
    lists: 2,
  },
  sandbox: {
    folders: {
      'packages/cli/src/commands/mcp': 8,
      'packages/cli/src/commands/sandbox': 8,
      'packages/core/src/features/sandbox': 20,
      'packages/server/src/features/console/sandbox': 5,
      'packages/server/src/features/sandbox': 3,
    },
    lists: 5,
  },
  traces: { folders: { 'packages/server/src/features/traces': 2 }, lists: 1 },
};

function foldersOf({ files }: Taken): Record<string, number> {
  const folders = new Map<string, number>();
  for (const file of files) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
  return Object.fromEntries(folders);
}

describe('a room can be taken out', () => {
  it.each(Object.entries(rooms))('%s', async (name, { folders, lists }) => {
    const taken = await without([name]);
    expect(taken.errors).toBe('');
    // At most, so that files may be put together.
    for (const [folder, count] of Object.entries(foldersOf(taken)))
      expect([folder, count <= (folders[folder] ?? 0)]).toEqual([folder, true]);
    expect(taken.lists.length).toBeLessThanOrEqual(lists);
  });

  it('takes out the console with the pages of other rooms', async () => {
    const taken = await without(['console']);
    expect(taken.errors).toBe('');
    expect(taken.files).toContain('packages/server/src/features/console/webhooks/webhooks.ts');
    expect(taken.lists.length).toBeLessThanOrEqual(7);
  });

  it('takes out all rooms together', async () => {
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
