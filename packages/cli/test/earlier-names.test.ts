import { expect, it } from 'vitest';
import { globalOptions } from '../src/context.ts';
import { inTodaysNames, sharedValues } from '../src/earlier-names.ts';
import { run } from './helpers/run.ts';

it.each([
  ['orders reconcile', 'payments list'],
  ['orders reconcile --all --json', 'payments list --all --json'],
  ['orders reconcile --settle p1 --order INV-1 --yes', 'payments settle p1 --order INV-1 --yes'],
  ['orders reconcile --yes --settle=p1', 'payments settle p1 --yes'],
  ['orders reconcile --return p1 --note paid', 'payments return p1 --note paid'],
  ['orders reconcile --note paid --return p1', 'payments return p1 --note paid'],
  ['orders reconcile --ask INV-1 INV-2 --since friday.db', 'payments recover friday.db --ask INV-1 INV-2'],
  ['orders refunds --all', 'refunds list --all'],
  ['orders refunds --paid R1 --reference 7781', 'refunds paid R1 --reference 7781'],
  ['orders refunds --cancel R1 --note arrived', 'refunds cancel R1 --note arrived'],
  ['orders refund INV-1 --all --note wrong', 'refunds create INV-1 --all --note wrong'],
  ['--profile shop orders --json refunds', '--profile shop refunds list --json'],
  ['help orders refund', 'help refunds create'],
  ['orders --profile shop reconcile', 'payments list --profile shop'],
  ['orders --fields refunds refund INV-1', 'refunds create --fields refunds INV-1'],
  ['--profile orders orders reconcile', '--profile orders payments list'],
  ['orders reconcile --yes --by cron --json', 'payments list --json'],
  ['orders refunds --by=cron --dry-run', 'refunds list'],
  ['orders retry INV-1 --by cron', 'orders retry INV-1 --operator cron'],
  ['orders refund INV-1 --by=cron', 'refunds create INV-1 --operator=cron'],
  ['report sales --from today --to=today --by day', 'report sales --since today --until=today --by day'],
  ['report settlement --from 2d', 'report settlement --since 2d'],
  ['orders mine --from 2026-03-28 --before 2026-03-29', 'orders mine --since 2026-03-28 --until 2026-03-29'],
  ['--json orders list --after INV-1', '--json orders list --cursor INV-1'],
  ['callbacks list --after=cb_1', 'callbacks list --cursor=cb_1'],
])('accepts the earlier command line `%s` as `%s`', (earlier, now) => {
  expect(inTodaysNames(earlier.split(' '))).toEqual(now.split(' '));
});

it.each([
  'orders list',
  'orders note INV-1 refund',
  'refunds list',
  'orders',
  'games list',
  '--profile orders',
  'orders --fields refunds show INV-1 --json',
  'orders --profile refund list',
  'report sales --by product',
  'db copy --from a.db --to b.db',
  'catalog add --from digiflazz',
  'orders watch INV-1 --until paid',
])('leaves the command line `%s` unchanged', (line) => {
  expect(inTodaysNames(line.split(' '))).toEqual(line.split(' '));
});

it.each([
  [['orders', 'reconcile', '--store', 'file:none.db'], 'This command is now topup payments list.\n'],
  [['orders', 'refund', 'INV-1', '--store', 'file:none.db'], 'This command is now topup refunds create.\n'],
  [['orders', 'retry', 'INV-1', '--by=a', '--yes', '--store', 'file:none.db'], '--by is now --operator.\n'],
  [
    ['report', 'sales', '--from', 'today', '--to', 'today', '--store', 'file:none.db'],
    '--from is now --since.\n--to is now --until.\n',
  ],
  [['orders', 'mine', '--before', 'never'], '--before is now --until.\n'],
  [['orders', 'list', '--after', 'INV-1', '--store', 'file:none.db'], '--after is now --cursor.\n'],
  [
    ['orders', 'refund', 'INV-1', '--by', 'a', '--store', 'file:none.db'],
    'This command is now topup refunds create.\n--by is now --operator.\n',
  ],
])('prints the current form of %j on stderr', async (args, notice) => {
  expect((await run(args)).stderr).toMatch(new RegExp(`^${notice}`));
  for (const silent of ['--json', '--fields=id', '--quiet', '-q'])
    expect((await run([...args, silent])).stderr).not.toContain(notice);
});

it('prints no note about current command lines, or about flags that lists ignore', async () => {
  for (const line of ['report sales --by day', 'orders retry INV-1 --operator a --yes'])
    expect((await run([...line.split(' '), '--store', 'file:none.db'])).stderr).not.toContain(' is now ');
  const ignored = ['orders', 'refunds', '--by', 'cron', '--store', 'file:none.db'];
  expect((await run(ignored)).stderr).toMatch(/^This command is now topup refunds list\.\nError/);
});

it("shows the help of an earlier command's current name", async () => {
  const { code, stdout } = await run(['orders', 'reconcile', '--help']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: (await run(['payments', 'list', '--help'])).stdout });
});

it('knows all shared options with a value', () => {
  const taking = Object.values(globalOptions).flatMap(([flags]) =>
    flags.includes('<') ? [flags.replace(/ <.*/, '')] : [],
  );
  expect([...sharedValues].toSorted()).toEqual(taking.toSorted());
});
