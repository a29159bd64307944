import { graphemes } from './fit-text.ts';

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? [];

const firstOf = (word: string): string => (graphemes(word)[0] ?? '').toLocaleUpperCase('en');

/**
 * The letters that stand for a title: those of its words, up to four; without words, its first sign.
 *
 * @example
 * initialsOf('Clash of Clans'); // 'COC'
 */
export function initialsOf(title: string): string {
  const words = wordsOf(title);
  if (words.length === 0) return graphemes(title.trim())[0] ?? '';
  const most = words.length > 4 ? 3 : 4;
  return words.slice(0, most).map(firstOf).join('');
}
