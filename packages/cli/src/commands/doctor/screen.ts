import type { Look, Style } from '../../output/style.ts';
import { wrap } from '../../output/text.ts';
import type { Check, State } from './check.ts';

const signs: Record<State, { sign: string; style: Style }> = {
  ok: { sign: '✓ ok', style: 'good' },
  warning: { sign: '! warning', style: 'waiting' },
  failed: { sign: '✗ failed', style: 'bad' },
  skipped: { sign: '- skipped', style: 'quiet' },
};

const signWidth = 9;
const nameWidth = 13;
const indent = ' '.repeat(signWidth + nameWidth + 4);

/** The lines of a text beneath each other, right of the names. */
const beside = (text: string, columns: number): string[] =>
  wrap(text, columns - indent.length)
    .trimEnd()
    .split('\n');

function checkScreen({ name, state, found, fix }: Check, { paint, columns = 80 }: Look): string {
  const { sign, style } = signs[state];
  const head = `${paint(style, sign.padEnd(signWidth))}  ${name.padEnd(nameWidth)}  `;
  const fixes = fix?.split('\n').flatMap((line) => beside(line, columns)) ?? [];
  return [
    `${head}${beside(found, columns).join(`\n${indent}`)}\n`,
    ...fixes.map((line) => `${indent}${paint('title', line)}\n`),
  ].join('');
}

export const doctorScreen = (checks: readonly Check[], look: Look): string =>
  checks.map((check) => checkScreen(check, look)).join('');

/** How it stands, in a line. */
export function doctorSummary(checks: readonly Check[]): string {
  const count = (state: State): number => checks.filter((check) => check.state === state).length;
  const [failures, warnings] = [count('failed'), count('warning')];
  if (failures > 0) return `${failures} of ${checks.length} checks failed.`;
  return warnings > 0 ? 'It works; see the warnings.' : 'All is well.';
}
