import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createContext } from '../src/context.ts';
import { withProgress } from '../src/output/progress.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Runs work of this duration, and returns what was written to stderr in the meantime. */
async function shownDuring(
  milliseconds: number,
  { isTTY = true, quiet = false, words = 'Backing up', columns = 40 } = {},
): Promise<string> {
  let shown = '';
  const stderr = { write: (text: string) => (shown += text), isTTY, columns };
  const silent = { write: () => {} };
  const io = { stdin: (async function* () {})(), stdout: silent, stderr, environment: { NO_COLOR: '1' } };
  const context = createContext(io, { input: true, ...(quiet && { quiet }) });
  const working = withProgress(context, words, async (tell) => {
    setTimeout(() => tell('Half done'), milliseconds / 2);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return 'done';
  });
  await vi.advanceTimersByTimeAsync(milliseconds);
  expect(await working).toBe('done');
  return shown;
}

describe('progress', () => {
  it('shows no progress for work that takes less than a second', async () => {
    expect(await shownDuring(900)).toBe('');
  });

  it('shows the work and its duration, and clears the line at the end', async () => {
    const shown = await shownDuring(3000);

    expect(shown).toContain('Backing up (1 s)');
    expect(shown).toContain('Half done (2 s)');
    expect(shown.endsWith('\r\u001b[K')).toBe(true);
    expect(shown).not.toContain('\n');
  });

  it('keeps progress on one line, and escapes control characters', async () => {
    const shown = await shownDuring(1500, { words: `\u001b[2J${'long '.repeat(20)}`, columns: 30 });

    for (const line of shown.split('\r\u001b[K')) expect(line.length).toBeLessThan(30);
    expect(shown).not.toContain('\u001b[2J');
  });

  it('prints other output above the progress line', async () => {
    let shown = '';
    const stderr = { write: (text: string) => (shown += text), isTTY: true, columns: 40 };
    const io = {
      ...{ stdin: (async function* () {})(), stdout: { write: () => {} }, stderr },
      environment: { NO_COLOR: '1' },
    };
    const working = withProgress(createContext(io, { input: true }), 'Waiting', async (tell) => {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      tell.above(() => stderr.write('a line\n'));
    });
    await vi.advanceTimersByTimeAsync(1500);
    await working;

    expect(shown).toContain('Waiting (1 s)\r\u001b[Ka line\n\r');
  });

  it.each([
    ['if stderr is not a terminal', { isTTY: false }],
    ['with --quiet', { quiet: true }],
  ])('shows no progress %s', async (_case, options) => {
    expect(await shownDuring(3000, options)).toBe('');
  });
});
