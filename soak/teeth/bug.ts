import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A test by its file, from the root of the project, and its title or that of its group, or a part without placeholders. */
export interface NamedTest {
  file: string;
  title: string;
}

/** A mistake that somebody could make in one place, and the test that has to notice it. */
export interface Bug {
  /** What the system then does wrong. */
  name: string;
  /** From the root of the project. */
  file: string;
  /** A text that the file has exactly once. */
  find: string;
  replace: string;
  caughtBy: NamedTest;
  /** The test notices it by its time-out, because something never ends; any other test that takes too long proves nothing. */
  hangs?: true;
}

/**
 * Puts a bug into the text of its file.
 *
 * @throws Error when the text to find is not there exactly once, so that the catalogue has to follow the code.
 */
export function withBug(text: string, { name, file, find, replace }: Bug): string {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(
      `"${name}": ${file} has the text ${JSON.stringify(find)} ${parts.length - 1} times instead of once. Change the catalogue of bugs so that it names one place.`,
    );
  return parts.join(replace);
}

/** The text of the bug's file below a root, with the bug. */
export const textWithBug = (root: string, bug: Bug): string =>
  withBug(readFileSync(join(root, bug.file), 'utf8'), bug);
