import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';

/** Size of the film's terminal, in characters. */
export const columns = 80;
export const rows = 36;

/** Character on the screen. A colour is a number of the palette; undefined is the terminal's default. */
export interface Cell {
  text: string;
  foreground: number | undefined;
  background: number | undefined;
  bold: boolean;
  dim: boolean;
}

export type Screen = Cell[][];

/** Screen with the milliseconds for which it is shown. */
export interface Frame {
  screen: Screen;
  duration: number;
}

/** Minimum duration of a screen in milliseconds. Shorter ones are omitted, such as a half-drawn prompt. */
const shortest = 60;
/** Maximum duration of a screen in milliseconds. A longer wait, such as the start of the program, is shortened to this. */
const longest = 1_800;

export const textOf = (screen: Screen): string =>
  screen
    .map((row) =>
      row
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n')
    .trimEnd();

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Runs `topup` in a terminal, orders as a person would, and returns the screens until the order was delivered. */
export async function record(port: string): Promise<Frame[]> {
  const folder = await mkdtemp(join(tmpdir(), 'topup-film-'));
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 1_000, allowProposedApi: true });
  const program = join(import.meta.dirname, '../../packages/cli/src/bin.ts');
  const child = spawn(process.execPath, ['--conditions=@topup-kit/source', program], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, PORT: port, TZ: 'Asia/Jakarta', LANG: 'en_US.UTF-8' },
  });
  const ended = new Promise<void>((resolve) => child.onExit(() => resolve()));
  const seen: { at: number; screen: Screen }[] = [];
  child.onData((data) => terminal.write(data));
  terminal.onData((reply) => child.write(reply));
  terminal.onWriteParsed(() => seen.push({ at: performance.now(), screen: readScreen(terminal) }));

  /** Waits for a text that the screen did not show before, and then for the time that a person needs to read it. */
  async function until(text: string, reading: number): Promise<void> {
    const end = Date.now() + 60_000;
    while (!textOf(seen.at(-1)?.screen ?? []).includes(text)) {
      if (Date.now() > end)
        throw new Error(`The screen never showed ${text}:\n${textOf(readScreen(terminal))}`);
      await pause(20);
    }
    await pause(reading);
  }

  async function type(text: string): Promise<void> {
    for (const key of text) {
      child.write(key);
      await pause(90);
    }
    await pause(400);
    child.write('\r');
  }

  try {
    await until('What would you like?', 1_500);
    child.write('\r');
    await until('Which game?', 1_300);
    child.write('\r');
    await until('Which product?', 800);
    child.write('\u001b[B');
    await pause(300);
    child.write('\u001b[A');
    await pause(500);
    child.write('\r');
    for (const [question, reply] of replies) {
      await until(question, 500);
      await type(reply);
    }
    await until('What next?', 2_500);
    child.write('\r');
    await until('PAID / Sukses', 1_500);
    return framesOf(seen);
  } finally {
    child.kill('SIGKILL');
    await ended;
    terminal.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** Replies to the prompts after the product. An empty reply keeps the selected value. */
const replies: readonly [question: string, reply: string][] = [
  ['User ID?', '12345678'],
  ['Zone ID?', '2012'],
  ['How will it be paid?', ''],
  ['Phone number?', '081234567890'],
  ['Place this order?', ''],
];

function readScreen(terminal: xterm.Terminal): Screen {
  const { active } = terminal.buffer;
  return Array.from({ length: rows }, (_row, y) => {
    const line = active.getLine(active.baseY + y);
    return Array.from({ length: columns }, (_cell, x) => {
      const cell = line?.getCell(x);
      const swapped = (cell?.isInverse() ?? 0) !== 0;
      const foreground = cell?.isFgPalette() ? cell.getFgColor() : undefined;
      const background = cell?.isBgPalette() ? cell.getBgColor() : undefined;
      return {
        text: cell?.getChars() || ' ',
        // A cell in reverse video with the terminal's own colours is drawn as black on white.
        foreground: swapped ? (background ?? 0) : foreground,
        background: swapped ? (foreground ?? 7) : background,
        bold: (cell?.isBold() ?? 0) !== 0,
        dim: (cell?.isDim() ?? 0) !== 0,
      };
    });
  });
}

/** Returns the screens that a person sees, without those that are replaced too quickly. */
function framesOf(seen: readonly { at: number; screen: Screen }[]): Frame[] {
  const frames: Frame[] = [];
  for (const [index, { at, screen }] of seen.entries()) {
    const next = seen[index + 1]?.at ?? at + 4_000;
    const last = frames.at(-1);
    if (last && JSON.stringify(last.screen) === JSON.stringify(screen)) last.duration += next - at;
    else if (next - at >= shortest) frames.push({ screen, duration: next - at });
  }
  const end = frames.length - 1;
  return frames.map(({ screen, duration }, index) => ({
    screen,
    duration: index === end ? 4_000 : Math.min(duration, longest),
  }));
}
