import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import type { NamedTest } from './bug.ts';

/** A test that was run. */
export interface RanTest {
  /** From the root of the project. */
  file: string;
  /** With those of its groups before it. */
  title: string;
  passed: boolean;
  /** Why it failed, as its first line says. */
  failure: string;
}

/** What a run of tests came to. */
export interface TestRun {
  tests: RanTest[];
  /** Why not all of the files could be run. */
  broken: string | null;
}

/** The part of Vitest's JSON report that is read. */
interface Report {
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** What a run may take, in milliseconds, and what each of its tests adds to it. */
const startMs = 60_000;
const eachMs = 5_000;

/** What a test may take, in milliseconds: several run at a time, and one that is only slow must not count as failed. */
const testTimeoutMs = 20_000;

const asPattern = (title: string): string => title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Only what a program needs: the variables of a Vitest that runs this one would confuse it. */
const environment = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR };

/**
 * Resolves with what Vitest printed, or with null if it took too long. It has a process group of its own, with which
 * everything that it started ends: a bug may keep a worker busy for good.
 */
async function runVitest(root: string, args: readonly string[], timeoutMs: number): Promise<string | null> {
  const vitest = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    cwd: root,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endAll = (): void => {
    try {
      if (vitest.pid !== undefined) process.kill(-vitest.pid, 'SIGKILL');
    } catch {
      // All of them have ended.
    }
  };
  const interrupt = (): never => process.exit(130);
  process.once('exit', endAll).once('SIGINT', interrupt);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endAll();
  }, timeoutMs);
  try {
    const [out, error] = await Promise.all([text(vitest.stdout), text(vitest.stderr)]);
    return isLate ? null : out + error;
  } finally {
    clearTimeout(timer);
    endAll();
    process.off('exit', endAll).off('SIGINT', interrupt);
  }
}

function readReport(path: string): Report | null {
  try {
    // safe: Vitest wrote it
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    return null;
  }
}

const firstLine = (text = ''): string => text.split('\n', 1)[0] ?? '';

/** Runs the tests with these titles, in a process of its own. */
export async function runTests(root: string, wanted: readonly NamedTest[]): Promise<TestRun> {
  const files = [...new Set(wanted.map(({ file }) => file))];
  const titles = [...new Set(wanted.map(({ title }) => title))];
  const reportPath = join(root, 'node_modules/.teeth-report.json');
  rmSync(reportPath, { force: true });
  const printed = await runVitest(
    root,
    [
      ...files,
      `--testNamePattern=${titles.map(asPattern).join('|')}`,
      ...['--project=source', '--project=alone', '--project=calm', `--testTimeout=${testTimeoutMs}`],
      ...['--reporter=json', `--outputFile=${reportPath}`],
    ],
    startMs + wanted.length * eachMs,
  );
  if (printed === null) return { tests: [], broken: 'its tests did not end' };
  const report = readReport(reportPath);
  if (!report) return { tests: [], broken: `Vitest wrote no report: ${printed}` };
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, failureMessages }) => ({
        file: relative(root, name),
        title: fullName,
        passed: status === 'passed',
        failure: firstLine(failureMessages[0]),
      })),
  );
  const unread = report.testResults.find(({ assertionResults }) => assertionResults.length === 0);
  return { tests, broken: unread ? firstLine(unread.message) : null };
}

/** Those of the tests that a name means. */
export const testsNamed = ({ tests }: TestRun, { file, title }: NamedTest): RanTest[] =>
  tests.filter((one) => one.file === file && one.title.includes(title));
