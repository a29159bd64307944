import { describe, expect, it } from 'vitest';
import { layOut } from '../src/output/layout.ts';

const lines = (...texts: string[]): string => texts.join('\n');

describe('a text that is laid out', () => {
  it.each([
    ['without a width', 'x'.repeat(90), undefined],
    ['if it has exactly as many columns', lines('0123456789', '  topup games'), 13],
  ])('leaves a text unchanged %s', (_case, text, columns) => {
    expect(layOut(text, columns)).toBe(text);
  });

  it('keeps short lines separate next to a long line', () => {
    expect(layOut(lines('a b', '', 'one two three', '  topup x'), 9)).toBe(
      lines('a b', '', 'one two', 'three', '  topup x'),
    );
  });

  it('counts columns instead of characters', () => {
    expect(layOut('原神 原神', 9)).toBe('原神 原神');
    expect(layOut('原神 原神', 8)).toBe(lines('原神', '原神'));
  });
});

describe('a paragraph', () => {
  const filled = `${'word '.repeat(15)}words`;

  it('refills a paragraph that was broken at 80 columns', () => {
    expect(filled).toHaveLength(80);
    expect(layOut(lines(filled, 'and the rest.'), 40)).toBe(
      lines(
        'word word word word word word word word',
        'word word word word word word word words',
        'and the rest.',
      ),
    );
    // Its second line goes on in the first: the two have 79 columns with a blank, where 80 is a break.
    expect(layOut(lines('word '.repeat(15).trimEnd(), 'goeson at once'), 40)).toBe(
      lines(
        'word word word word word word word word',
        'word word word word word word word',
        'goeson at once',
      ),
    );
  });

  it('joins the next line to a line that had no space for its first word', () => {
    const first = 'word '.repeat(15).trimEnd();
    expect(layOut(lines(first, 'wordy at once'), 40)).toBe(
      lines('word word word word word word word word', 'word word word word word word word wordy', 'at once'),
    );
    expect(layOut(lines(first, 'word at once'), 40)).toBe(
      lines('word word word word word word word word', 'word word word word word word word', 'word at once'),
    );
  });

  it("doesn't join a paragraph with indented lines above or below", () => {
    const command = `  topup ${'x'.repeat(72)}`;
    expect(command).toHaveLength(80);
    expect(layOut(lines(command, 'next'), 79)).toBe(lines('  topup \\', `    ${'x'.repeat(72)}`, 'next'));
    expect(layOut(lines(filled, '  topup x'), 79)).toBe(lines(filled.slice(0, 74), 'words', '  topup x'));
  });

  it('treats an indented sentence with a full stop as text', () => {
    expect(layOut('  one two three four.', 12)).toBe(lines('  one two', '  three', '  four.'));
  });

  it('keeps a long word whole', () => {
    expect(layOut(`a ${'x'.repeat(20)} b`, 10)).toBe(lines('a', 'x'.repeat(20), 'b'));
  });
});

describe('a command line', () => {
  it('breaks a command line between words, with a backslash and an indentation of four columns', () => {
    expect(layOut('  topup orders refund INV-1 now', 22)).toBe(
      lines('  topup orders \\', '    refund INV-1 now'),
    );
    expect(layOut('      topup orders refund now', 20)).toBe(
      lines('      topup orders \\', '      refund now'),
    );
  });

  it('fills a command line up to the last column, including the backslash', () => {
    expect(layOut('  topup games list xyz', 20)).toBe(lines('  topup games list \\', '    xyz'));
    expect(layOut('  topup games list xyz', 19)).toBe(lines('  topup games \\', '    list xyz'));
  });

  it('keeps a flag and its value on one line', () => {
    expect(layOut('  topup create --game chess --json -y', 24)).toBe(
      lines('  topup create \\', '    --game chess \\', '    --json -y'),
    );
    expect(layOut('  topup create -o file --json', 20)).toBe(
      lines('  topup create \\', '    -o file --json'),
    );
    expect(layOut('  topup a-b cdefghijkl', 18)).toBe(lines('  topup a-b \\', '    cdefghijkl'));
  });

  it.each(["'no such player'", '"no such player"', "--note='no such player'"])(
    'never breaks a line at %s',
    (word) => {
      expect(layOut(`  topup ${word} x`, 16)).toBe(lines('  topup \\', `    ${word} \\`, '    x'));
    },
  );

  it('keeps a single backslash at an existing break', () => {
    expect(layOut(lines('  topup create --game \\', '    --json'), 18)).toBe(
      lines('  topup create \\', '    --game \\', '    --json'),
    );
    expect(layOut('  topup create x \\', 16)).toBe(lines('  topup create \\', '    x \\'));
  });
});

describe('the text next to a term', () => {
  it('keeps the text next to a term in a separate column', () => {
    expect(layOut('  --game <slug>  only for this game of the shop, and no other', 40)).toBe(
      lines('  --game <slug>  only for this game of', '                 the shop, and no other'),
    );
    expect(layOut('Usage: topup orders create [options] [command]', 30)).toBe(
      lines('Usage: topup orders create', '       [options] [command]'),
    );
  });

  it('puts the text below the term if fewer than 20 columns are left', () => {
    const text = '  --game <slug>  only for this game of the shop';
    expect(layOut(text, 37)).toBe(
      lines('  --game <slug>  only for this game', '                 of the shop'),
    );
    expect(layOut(text, 36)).toBe(lines('  --game <slug>', '      only for this game of the shop'));
    expect(layOut(text, 24)).toBe(lines('  --game <slug>', '      only for this game', '      of the shop'));
  });
});
