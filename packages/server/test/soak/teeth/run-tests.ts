import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
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

/** What one run may take, in milliseconds. */
const timeoutMs = 180_000;

const asPattern = (title: string): string => title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Only what a program needs: the variables of a Vitest that runs this one would confuse it. */
const environment = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR };

/** Resolves with what went wrong, or null: tests that fail are no error. */
const runVitest = (root: string, args: readonly string[]): Promise<string | null> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', ...args],
      { cwd: root, env: environment, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 },
      (error, stdout, stderr) =>
        resolve(error?.killed ? `it took more than ${timeoutMs / 1_000} s` : error && `${stdout}${stderr}`),
    );
  });

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
  const problem = await runVitest(root, [
    ...files,
    ...['--testNamePattern', titles.map(asPattern).join('|')],
    ...['--project=source', '--project=alone'],
    ...['--reporter=json', `--outputFile=${reportPath}`],
  ]);
  const report = readReport(reportPath);
  if (!report) return { tests: [], broken: problem ?? 'Vitest wrote no report' };
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
