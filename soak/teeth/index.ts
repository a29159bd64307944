import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Soak } from '../soak.ts';
import type { Bug } from './bug.ts';
import { bugs } from './catalogue/index.ts';
import { copyProject } from './copy.ts';
import { checkWithoutBugs, judge, type Verdict } from './judge.ts';

export const root: string = fileURLToPath(new URL('../../', import.meta.url));

interface Row {
  bug: Bug;
  verdict: Verdict;
}

const outcomeOf = ({ verdict, bug: { caughtBy } }: Row): string =>
  verdict.state === 'caught'
    ? `${caughtBy.file}: ${caughtBy.title}`
    : `${verdict.state.toUpperCase()} ${verdict.state === 'invalid' ? verdict.reason : ''}`.trim();

/** A table with a row for each bug: what goes wrong, where, and the test that notices it. */
function tableOf(rows: readonly Row[]): string {
  const cells = [
    ['BUG', 'WHERE', 'CAUGHT BY'],
    ...rows.map((row) => [row.bug.name, row.bug.file, outcomeOf(row)]),
  ];
  const widthOf = (column: number): number => Math.max(...cells.map((row) => row[column]?.length ?? 0));
  const widths = [widthOf(0), widthOf(1)];
  return cells
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}

/** More at a time would slow each other's tests so much that their time-outs fail them. */
const maxCopies = 4;

/**
 * Puts bugs into copies of the project, one after the other in each copy, after it has checked that their tests pass without
 * them.
 */
export async function runBugs(
  some: readonly Bug[],
  progress: (share: number, doing: string) => void = () => {},
): Promise<Row[]> {
  using copies = new DisposableStack();
  const openCopy = (): string => copies.use(copyProject(root)).path;
  const first = openCopy();
  progress(0, 'without a bug');
  const problems = await checkWithoutBugs(first, some);
  if (problems.length > 0)
    throw new Error(`The tests have to pass before bugs are put in:\n${problems.join('\n')}`);

  const rows: Row[] = [];
  const waiting = some.entries();
  async function work(copy: string): Promise<void> {
    for (const [index, bug] of waiting) {
      progress((index + 1) / (some.length + 1), bug.name);
      rows[index] = { bug, verdict: await judge(copy, bug) };
    }
  }
  const others = Math.min(availableParallelism(), maxCopies, some.length) - 1;
  await Promise.all([first, ...Array.from({ length: others }, openCopy)].map(work));
  return rows;
}

/** Every bug of the catalogue has to be noticed by the test that it names. */
export const teeth: Soak = {
  name: 'teeth',
  takesSeed: false,
  about: `Puts ${bugs.length} bugs into a copy of the code, one after the other, and runs the test that has to notice it.`,
  async run({ progress }) {
    const rows = await runBugs(bugs, progress);
    const missed = rows.filter(({ verdict }) => verdict.state !== 'caught');
    if (missed.length > 0)
      throw new Error(
        `${tableOf(rows)}\n\n${missed.length} of ${rows.length} bugs were not caught:\n${missed.map((row) => `- ${row.bug.name}: ${outcomeOf(row)}`).join('\n')}\nWrite the missing test, or correct the catalogue in soak/teeth.`,
      );
    return `${tableOf(rows)}\n\nAll of ${rows.length} bugs were caught.`;
  },
};
