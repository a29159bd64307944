/** Counts the letters to insert, delete, change or swap with a neighbour (optimal string alignment). */
export function editDistance(typed: string, word: string): number {
  const table: number[][] = [];
  const at = (line: number, column: number): number => table[line]?.[column] ?? line + column;
  for (let line = 1; line <= typed.length; line += 1) {
    const row: number[] = [];
    table[line] = row;
    for (let column = 1; column <= word.length; column += 1) {
      const [letter, wanted] = [typed[line - 1], word[column - 1]];
      const swapped = letter === word[column - 2] && wanted === typed[line - 2];
      row[column] = Math.min(
        at(line - 1, column) + 1,
        at(line, column - 1) + 1,
        at(line - 1, column - 1) + (letter === wanted ? 0 : 1),
        swapped ? at(line - 2, column - 2) + 1 : line + column,
      );
    }
  }
  return at(typed.length, word.length);
}

/** Suggests up to three words that the user probably meant, the most similar first; none for very long texts. */
export function suggestSimilar(typed: string, words: readonly string[]): string[] {
  const text = typed.toLowerCase();
  const far = (word: string): number =>
    word.toLowerCase().startsWith(text) ? 1 : editDistance(text, word.toLowerCase());
  if (!text || text.length > 64) return [];
  return words
    .filter((word) => far(word) * 3 <= Math.max(word.length, text.length, 3))
    .sort((a, b) => far(a) - far(b))
    .slice(0, 3);
}
