import { relative } from 'node:path';
import type { Mutant } from './instrument.ts';
import type { Results, Survey } from './results.ts';

/** Outcome of a mutant. `at import` is code that runs while a file is imported: no test runs with such a mutant, and it is not counted. */
type Outcome = 'killed' | 'hung' | 'survived' | 'not reached' | 'at import' | 'not run';

function outcomeOf({ id }: Mutant, survey: Survey, { results }: Results): Outcome {
  const result = results[id];
  if (result === undefined && survey.reach.some(({ hits }) => id in hits)) return 'not run';
  if (result === undefined) return survey.atImport.includes(id) ? 'at import' : 'not reached';
  if (result.killedBy === undefined) return result.missed && result.tests === 0 ? 'at import' : 'survived';
  return result.hung ? 'hung' : 'killed';
}

/** Describes on one line where a mutant is, what it replaces, and the replacement. */
function describe({ location: { start, end }, mutatorName, replacement }: Mutant, lines: string[]): string {
  const [first = ''] = lines.slice(start.line, start.line + 1);
  const original =
    start.line === end.line ? first.slice(start.column, end.column) : `${first.slice(start.column)} ...`;
  const short = replacement.replace(/\s+/g, ' ').slice(0, 120);
  return `${start.line + 1}:${start.column + 1} ${mutatorName}: ${original}  ->  ${short}`;
}

interface Counts {
  killed: number;
  alive: number;
  atImport: number;
}

const line = (name: string, { killed, alive, atImport }: Counts): string => {
  const percent = killed + alive === 0 ? '-' : ((100 * killed) / (killed + alive)).toFixed(1);
  return `${percent.padStart(6)} %${String(killed).padStart(6)}${String(alive).padStart(6)}${String(atImport).padStart(6)}  ${name}\n`;
};

/** Lists the mutants that no test noticed, by file, and a table of all mutants. */
export function summarise(
  mutants: readonly Mutant[],
  survey: Survey,
  results: Results,
  contents: ReadonlyMap<string, string>,
): { survivors: string; table: string } {
  let survivors = '';
  let table = 'killed        yes    no  at import\n';
  const total = { killed: 0, alive: 0, atImport: 0 };
  let hung = 0;
  let notRun = 0;
  for (const [path, content] of contents) {
    const name = relative('.', path);
    const counts = { killed: 0, alive: 0, atImport: 0 };
    const found: string[] = [];
    for (const mutant of mutants.filter(({ fileName }) => fileName === path)) {
      const outcome = outcomeOf(mutant, survey, results);
      if (outcome === 'not run') notRun += 1;
      else if (outcome === 'at import') counts.atImport += 1;
      else if (outcome === 'killed' || outcome === 'hung') counts.killed += 1;
      else {
        counts.alive += 1;
        const tests = results.results[mutant.id]?.tests ?? 0;
        found.push(`  ${describe(mutant, content.split('\n'))}  (${tests} tests)\n`);
      }
      if (outcome === 'hung') hung += 1;
    }
    if (found.length > 0) survivors += `\n${name}\n${found.join('')}`;
    table += line(name, counts);
    total.killed += counts.killed;
    total.alive += counts.alive;
    total.atImport += counts.atImport;
  }
  const unrepeatable = [...survey.unrepeatable, ...results.unrepeatable]
    .map((mutant) => `  ${mutant}\n`)
    .join('');
  if (unrepeatable !== '') survivors += `\nTests that did not run with mutants:\n${unrepeatable}`;
  return {
    survivors,
    table: `${table}${line('in all', total)}${hung} made a test hang, ${notRun} did not run.\n`,
  };
}
