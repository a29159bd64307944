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

/** A problem with a stable name: its check, a space, and its item. */
type Problem = string;

/** The findings of this user's last `doctor --new` for one store and one service. */
interface LastRun {
  problems: ReadonlySet<Problem>;
  save(problems: ReadonlySet<Problem>): void;
}

const isProblem = ({ state }: Check): boolean => state === 'failed' || state === 'warning';

/** Names the problems of a finding. The name contains the fix, because the finding has numbers and times that change with each run. */
const problemsOf = ({ name, state, fix, about }: Finding): Problem[] =>
  (about?.names ?? [`${state} ${fix ?? ''}`]).map((subject) => `${name} ${subject}`);

/** Names checks that ran, and are absent because they found nothing. */
function silentChecks(findings: readonly Finding[]): string[] {
  const isRead = findings.some(
    ({ name, state }) => name === 'store' && (state === 'ok' || state === 'warning'),
  );
  return [
    'secrets',
    ...(isRead ? ['expiry', 'disk', ...Object.values(alertDescriptions).map((alert) => alert.check)] : []),
  ];
}

/** Finds new problems. A check that could not run keeps its last result, so that its problems are not new afterwards. */
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
    return [about ? about.only(about.names.filter((subject) => isNew(`${check.name} ${subject}`))) : check];
  });
  const fresh = [...problems].filter(isNew).length;
  return {
    problems,
    checks,
    fresh,
    standing: problems.size - fresh,
    over: [...before].filter((problem) => !problems.has(problem)).length,
  };
}

/** Names the checked service and store, if the configuration contains them. */
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

const saveError = (path: string, error: unknown): CliError =>
  new CliError(`The problems can't be saved in ${path}: ${reasonOf(error)}.`, {
    code: 'STATE',
    exitCode: exitCodes.failure,
    hint: 'Give this user write access to it, or set XDG_STATE_HOME to another folder.',
    cause: error,
  });

/** Reads the problems of the last run. A missing or damaged file counts as empty, so that a problem is reported twice rather than never. */
function readProblems(path: string): Problem[] {
  try {
    const remembered: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const problems = isObject(remembered) ? remembered.problems : [];
    return Array.isArray(problems) ? problems.filter((problem) => typeof problem === 'string') : [];
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return [];
    throw saveError(path, error);
  }
}

/**
 * Opens the last run in this user's state folder (XDG_STATE_HOME). Each user has a separate file, so that a manual run doesn't hide
 * problems from a scheduled run.
 *
 * @param subject names of the checked service and store
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
        throw saveError(path, error);
      }
    },
  };
}
