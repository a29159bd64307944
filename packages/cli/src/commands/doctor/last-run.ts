import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { alertDescriptions } from '@topup-kit/core/engine';
import { maskCredentials } from '@topup-kit/core/http';
import { makeFolder } from '@topup-kit/server/internal/folders';
import { stateFolder } from '../../config/file.ts';
import type { CommandContext } from '../../context.ts';
import { CliError, exitCodes, reasonOf, systemCode } from '../../errors/cli-error.ts';
import type { Io } from '../../io.ts';
import { isObject } from '../../json.ts';
import { chooseBaseUrl } from '../../service/connection.ts';
import { chooseStore } from '../../store/open.ts';
import type { Check, Finding } from './check.ts';

/** A problem, by a name that stays the same from run to run: that of its check, a space, and what it is about. */
type Problem = string;

/** What the last run of `doctor --new` found, of one store and one service, for this user. */
interface LastRun {
  /** None before the first run. */
  problems: ReadonlySet<Problem>;
  /** Replaces them. */
  save(problems: ReadonlySet<Problem>): void;
}

const isProblem = ({ state }: Check): boolean => state === 'failed' || state === 'warning';

/** The found sentence has numbers and times, which change without any news; the fix has not. */
const problemsOf = ({ name, state, fix, about }: Finding): Problem[] =>
  (about?.names ?? [`${state} ${fix ?? ''}`]).map((one) => `${name} ${one}`);

/** The checks that are absent when they find nothing, as far as they were made. */
function silentChecks(findings: readonly Finding[]): string[] {
  const isRead = findings.some(
    ({ name, state }) => name === 'store' && (state === 'ok' || state === 'warning'),
  );
  return [
    'secrets',
    ...(isRead ? ['expiry', 'disk', ...Object.values(alertDescriptions).map((alert) => alert.check)] : []),
  ];
}

/** What is new since the last run. What could not be checked now stays as it was, so that it isn't new afterwards. */
export function compare(findings: readonly Finding[], before: ReadonlySet<Problem>) {
  const made = findings.filter(({ state }) => state !== 'skipped').map(({ name }) => name);
  const checked = new Set([...made, ...silentChecks(findings)]);
  const unchecked = [...before].filter((problem) => !checked.has(problem.split(' ')[0] ?? ''));
  const present = findings.filter(isProblem).flatMap(problemsOf);
  const problems = new Set([...present, ...unchecked]);
  const isNew = (problem: Problem): boolean => !before.has(problem);
  const checks = findings.filter(isProblem).flatMap((finding): Check[] => {
    const { about, ...check } = finding;
    if (!problemsOf(finding).some(isNew)) return [];
    return [about ? about.only(about.names.filter((one) => isNew(`${check.name} ${one}`))) : check];
  });
  const fresh = [...problems].filter(isNew).length;
  return {
    problems,
    /** Those with something new. */
    checks,
    fresh,
    standing: problems.size - fresh,
    over: [...before].filter((problem) => !problems.has(problem)).length,
  };
}

/** The service and the store that are checked, as far as the configuration names them. */
export function subjectOf(context: CommandContext): string[] {
  try {
    const baseUrl = chooseBaseUrl(context).value;
    const store = chooseStore(context, undefined).value;
    return [
      baseUrl,
      store.startsWith('file:') ? resolve(store.slice('file:'.length)) : maskCredentials(store),
    ];
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}

const cantRemember = (path: string, error: unknown): CliError =>
  new CliError(`What was found can't be remembered in ${path}: ${reasonOf(error)}.`, {
    code: 'STATE',
    exitCode: exitCodes.failure,
    hint: 'Let this user write there, or name another folder with XDG_STATE_HOME.',
    cause: error,
  });

/** A file that is missing or damaged remembers nothing, so that rather too much is new. */
function readProblems(path: string): Problem[] {
  try {
    const remembered: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const problems = isObject(remembered) ? remembered.problems : [];
    return Array.isArray(problems) ? problems.filter((one) => typeof one === 'string') : [];
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return [];
    throw cantRemember(path, error);
  }
}

/**
 * Remembers the last run in the state folder of this user, which is XDG_STATE_HOME. Another user has a memory of its own, so that a
 * person who looks takes nothing away from a check on a schedule.
 *
 * @param subject what is checked
 */
export function openLastRun(io: Io, subject: readonly string[]): LastRun {
  const name = createHash('sha256').update(subject.join('\n')).digest('hex').slice(0, 16);
  const folder = join(stateFolder(io), 'doctor');
  const path = join(folder, `${name}.json`);
  return {
    problems: new Set(readProblems(path)),
    save(problems) {
      try {
        makeFolder(folder);
        const text = `${JSON.stringify({ checked: subject, problems: [...problems] })}\n`;
        writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true });
        renameSync(`${path}.new`, path);
      } catch (error) {
        throw cantRemember(path, error);
      }
    },
  };
}
