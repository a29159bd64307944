import { readFileSync } from 'node:fs';
import { type ErrorCode, errors } from '@topup-kit/core/contract';
import { expect, it } from 'vitest';

const page = readFileSync(new URL('../../../docs/open-points.md', import.meta.url), 'utf8');
const [, section = ''] = page.split('\n## Errors\n');
const isCode = (word: string): word is ErrorCode => word in errors;

/** The rows of the table of errors: the statuses, the Indonesian texts and the codes that each one names. */
const rows = section
  .split('\n## ')[0]
  ?.match(/^\| .* \|$/gm)
  ?.map((row) => ({
    statuses: new Set(
      row
        .split(' | ')
        .slice(0, 3)
        .join(' ')
        .match(/\b[45]\d\d\b/g)
        ?.map(Number),
    ),
    // Of a whole body, only its message.
    texts: [
      ...row
        .replaceAll(/`\{[^`]*\}`/g, (body) => body.match(/"[^"]*"/)?.[0] ?? '')
        .matchAll(/[`"]([^`"]+)[`"]/g),
    ]
      .map(([, text = '']) => text.replace(/^\.\.\. /, 'Kode promo '))
      .filter((text) => text.endsWith('.') || text === 'Unauthorized'),
    codes: [...new Set(row.match(/\b[A-Z_]{6,}\b/g))].filter(isCode),
  }));

const says = (code: ErrorCode, text: string): boolean =>
  new RegExp(`^${errors[code].message.id.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '.+')}$`).test(text);

// Conformance takes status and text of an error from the table in the code, so this compares the table with the page.
it('gives each error the status and the text that the open points define', () => {
  const named = (rows ?? []).filter(({ codes }) => codes.length > 0);
  expect(named.flatMap(({ codes }) => codes).length).toBeGreaterThan(25);
  for (const { statuses, texts, codes } of named) {
    for (const code of codes) {
      expect([code, [...statuses]]).toEqual([code, expect.arrayContaining([errors[code].status])]);
      if (texts.length > 0)
        expect([code, texts.filter((text) => says(code, text)).length > 0]).toEqual([code, true]);
    }
    const unsaid = texts.filter((text) => !codes.some((code) => says(code, text)));
    expect(unsaid).toEqual([]);
  }
});
