import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { drawCurve } from './curve-svg.ts';
import { type Bar, type Figure, isMet, median, type Result } from './measure.ts';
import { number } from './report.ts';

const readme = new URL('README.md', import.meta.url);
const curves = new URL('curves/', import.meta.url);

/** Creates a row of a table. A name such as `<TAB>` must not become an HTML tag. */
const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;')).join(' | ')} |`;

const table = (head: readonly string[], rows: readonly string[][]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const barRow = (measure: string, bar: Bar): string[] => [
  `\`${measure}\``,
  bar.name,
  number(bar.value),
  `${bar.kind} ${bar.bar}`,
  isMet(bar) ? 'met' : '**missed**',
];

const figureRow = (measure: string, { name, unit, values }: Figure): string[] => [
  `\`${measure}\``,
  name,
  `${number(median(values))} ${unit}`,
  values.length > 1 ? `${number(Math.min(...values))} to ${number(Math.max(...values))}` : '',
];

const remarkRows = ({ name, remarks }: Result): string[][] =>
  remarks.map((remark) => [`\`${name}\``, remark]);

const machineRow = ({ name, at, machine, calibration }: Result): string[] => [
  `\`${name}\``,
  at.slice(0, 16).replace('T', ' '),
  `${machine.cores} x ${machine.model}, Node ${machine.node}`,
  number(machine.loadBefore),
  calibration.map((figure) => `${figure.name} ${number(median(figure.values))} ${figure.unit}`).join(', '),
];

function figuresOf(
  results: readonly Result[],
  missing: readonly string[],
  curveNames: readonly [string, string][],
): string {
  return [
    ...(missing.length > 0
      ? [`Without a result yet: ${missing.map((name) => `\`${name}\``).join(', ')}.`]
      : []),
    table(
      ['measure', 'value', 'median', 'bar', ''],
      results.flatMap(({ name, bars }) => bars.map((bar) => barRow(name, bar))),
    ),
    ...curveNames.map(([name, about]) => `![${about}](curves/${name}.svg)`),
    '<details><summary>All figures</summary>',
    table(
      ['measure', 'figure', 'median', 'spread'],
      results.flatMap(({ name, figures }) => figures.map((figure) => figureRow(name, figure))),
    ),
    '</details>',
    '<details><summary>Who set the pace, and other remarks</summary>',
    table(['measure', 'remark'], results.flatMap(remarkRows)),
    '</details>',
    '<details><summary>When and where</summary>',
    table(['measure', 'at (UTC)', 'machine', 'load before', 'calibration'], results.map(machineRow)),
    '</details>',
  ].join('\n\n');
}

const generated = /(<!-- figures: [^>]*-->\n)[\s\S]*?(<!-- end of figures -->)/;

async function readResult(name: string): Promise<Result | null> {
  try {
    // Safe: run.ts wrote it.
    return JSON.parse(await readFile(new URL(`results/${name}.json`, import.meta.url), 'utf8')) as Result;
  } catch {
    return null;
  }
}

/** Writes the last figures and curves of all measures to `bench/README.md` and `bench/curves`. Returns the measures without a result. */
export async function writeReadme(names: readonly string[]): Promise<void> {
  const read = await Promise.all(names.map(readResult));
  const results = read.filter((result) => result !== null);
  const missing = names.filter((_, index) => read[index] === null);
  await mkdir(curves, { recursive: true });
  const drawn: [string, string][] = [];
  for (const curve of results.flatMap((result) => result.curves ?? [])) {
    await writeFile(new URL(`${curve.name}.svg`, curves), drawCurve(curve));
    drawn.push([curve.name, curve.about]);
  }
  const text = await readFile(readme, 'utf8');
  if (!generated.test(text)) throw new Error('bench/README.md has no place for figures');
  await writeFile(
    readme,
    text.replace(generated, (_, start, end) => `${start}\n${figuresOf(results, missing, drawn)}\n\n${end}`),
  );
}
