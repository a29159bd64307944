/** How many letters must be put in, left out or changed to make one word of another. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, wanted] of [...other].entries()) {
      const changed = (row[column] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Longer texts are no slips of the finger, and take long to compare. */
const longest = 64;

/** The words that somebody perhaps meant who typed another, the nearest first and three at most. */
export function nearest(typed: string, words: readonly string[]): string[] {
  const text = typed.toLowerCase();
  if (text === '' || text.length > longest) return [];
  return words
    .filter((word) => word.length <= longest)
    .map((word) => ({ word, far: word.startsWith(text) ? 1 : distance(text, word.toLowerCase()) }))
    .filter(({ word, far }) => far <= Math.max(1, Math.floor(Math.max(word.length, text.length) / 3)))
    .toSorted((one, other) => one.far - other.far)
    .slice(0, 3)
    .map(({ word }) => word);
}
