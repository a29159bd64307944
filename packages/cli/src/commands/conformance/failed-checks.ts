import { type ConformanceResult, sentenceOf } from '@topup-kit/conformance';
import type { OutputStyle } from '../../output/style.ts';
import { printable, wrappedLines } from '../../output/text.ts';
import { curlOf } from './curl.ts';

interface FailedCheck {
  /** Section of the contract with the broken sentence: `interface 4.1/success`. */
  citation: string;
  sentence: string;
  /** JSON path or header; null if the response as a whole is concerned, or if there was no response. */
  at: string | null;
  expected: string;
  received: string;
  /** curl command; null if no request is known, for example after a timeout. */
  curl: string | null;
}

export function failedCheck({ cites, difference, sent, reason = '' }: ConformanceResult): FailedCheck {
  const citation = difference?.by ?? cites[0] ?? 'interface 4';
  return {
    citation,
    sentence: sentenceOf(citation),
    at: difference?.at ?? null,
    expected: difference?.expected ?? 'that the check runs to its end',
    received: difference?.received ?? reason,
    curl: sent === undefined ? null : curlOf(sent),
  };
}

const labelWidth = 10;
const readable = 80;

/** Breaks words that are longer than a line, such as JSON without spaces. Nobody copies them. */
const breakable = (text: string, width: number): string =>
  text.replace(new RegExp(`\\S{${width}}(?=\\S)`, 'gu'), '$& ');

function fact(label: string, text: string, { columns = readable, paint }: OutputStyle): string {
  const width = Math.max(20, Math.min(columns, readable) - labelWidth - 3);
  return wrappedLines(breakable(printable(text).trim(), width), width)
    .map((line, index) => `   ${paint('quiet', (index === 0 ? label : '').padEnd(labelWidth))}${line}\n`)
    .join('');
}

function block(result: ConformanceResult, index: number, style: OutputStyle): string {
  const { citation, sentence, at, expected, received, curl } = failedCheck(result);
  const { columns = readable } = style;
  const name = wrappedLines(`${index + 1}. ${printable(result.name)}`, Math.min(columns, readable) - 3);
  return [
    '\n',
    name.map((line, row) => `${style.paint('bad', (row === 0 ? '' : '   ') + line)}\n`).join(''),
    fact('Contract', `${citation.replace(/\/.*$/s, '')}: ${sentence}`, style),
    at === null ? '' : fact('At', at, style),
    fact('Expected', expected, style),
    fact('Received', received, style),
    // The command is not indented, because the indentation would become part of a multi-line body.
    curl === null ? '' : `\n${curl}\n`,
  ].join('');
}

/** Formats each failed check of one origin: its sentence, the expected and the received value, and the request to repeat. */
export const failedChecks = (
  results: readonly ConformanceResult[],
  origin: ConformanceResult['origin'],
  style: OutputStyle,
): string =>
  results
    .filter((result) => result.outcome === 'failed' && result.origin === origin)
    .map((failed, index) => block(failed, index, style))
    .join('');
