import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { keepCompiled } from '../../../../test/compiled.ts';
import { topup } from './child.ts';
import { home } from './run.ts';

/*
 * The command at a real pseudo-terminal, as a person meets it:
 *
 *   await using terminal = openTerminal(['login'], { columns: 80, environment: { TOPUP_CONFIG: path } });
 *   await terminal.until('Base URL');       // waits for the words, and fails with the screen when they don't come
 *   terminal.type('https://shop.example');  // as typed on the keyboard
 *   terminal.press('enter');
 *   expect(await terminal.ended).toBe(0);   // its exit code; the screen is complete then
 *   expect(terminal.screen()).toContain('Kept');
 *
 * The command reads nothing before it prompts, so wait for a prompt before you answer it.
 */

const keys = {
  enter: '\r',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  tab: '\t',
  space: ' ',
  escape: '\u001b',
  backspace: '\u007f',
  'ctrl+a': '\u0001',
  'ctrl+c': '\u0003',
  'ctrl+d': '\u0004',
  'ctrl+u': '\u0015',
} as const;

/** One character of the screen; colours are numbers of the palette, undefined for the terminal's own. */
export interface Cell {
  text: string;
  foreground: number | undefined;
  background: number | undefined;
}

export interface PseudoTerminal extends AsyncDisposable {
  /** Everything on the screen as text, including what has scrolled out. */
  screen(): string;
  /** The same as characters with their colours. */
  cells(): Cell[][];
  type(text: string): void;
  press(...pressed: (keyof typeof keys)[]): void;
  /** Waits until the screen shows a text; returns the screen. */
  until(text: string | RegExp, patience?: number): Promise<string>;
  resize(columns: number, rows: number): void;
  /** The exit code, after all output is on the screen. */
  ended: Promise<number>;
}

export interface TerminalOptions {
  columns?: number;
  rows?: number;
  environment?: Record<string, string>;
  folder?: string;
}

/** Starts the command at its own pseudo-terminal; disposing of it kills the process. */
export const openTerminal = (
  args: string[],
  { environment, ...options }: TerminalOptions = {},
): PseudoTerminal =>
  openProgram(process.execPath, [topup, ...args], {
    ...options,
    environment: { ...keepCompiled(topup), ...environment },
  });

/** Starts any program in the same way, such as a shell. */
export function openProgram(
  program: string,
  args: string[],
  { columns = 80, rows = 24, environment = {}, folder }: TerminalOptions = {},
): PseudoTerminal {
  const shown = new xterm.Terminal({ cols: columns, rows, scrollback: 1_000, allowProposedApi: true });
  const child = spawn(program, args, {
    name: 'xterm-256color',
    cols: columns,
    rows,
    ...(folder !== undefined && { cwd: folder }),
    env: { PATH: process.env.PATH, HOME: home, TZ: 'Asia/Jakarta', ...environment },
  });
  child.onData((data) => shown.write(data));
  // Replies to what programs ask their terminal, such as the position of the cursor.
  shown.onData((answer) => child.write(answer));
  let running = true;
  const ended = new Promise<number>((resolve) => {
    child.onExit(({ exitCode, signal = 0 }) => {
      running = false;
      shown.write('', () => resolve(signal === 0 ? exitCode : 128 + signal));
    });
  });

  function screen(): string {
    const { active } = shown.buffer;
    const lines = Array.from({ length: active.length }, (_line, y) => {
      const line = active.getLine(y);
      return { text: line?.translateToString(true) ?? '', wrapped: line?.isWrapped === true };
    });
    return lines
      .reduce((text, line) => text + (line.wrapped ? '' : '\n') + line.text, '')
      .replace(/^\n/, '')
      .trimEnd();
  }

  function cells(): Cell[][] {
    const { active } = shown.buffer;
    return Array.from({ length: active.length }, (_row, y) =>
      Array.from({ length: columns }, (_cell, x) => {
        const cell = active.getLine(y)?.getCell(x);
        return {
          text: cell?.getChars() || ' ',
          foreground: cell?.isFgPalette() ? cell.getFgColor() : undefined,
          background: cell?.isBgPalette() ? cell.getBgColor() : undefined,
        };
      }),
    );
  }

  async function until(text: string | RegExp, patience = 15_000): Promise<string> {
    const isThere = (): boolean => (typeof text === 'string' ? screen().includes(text) : text.test(screen()));
    const { promise: seen, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (isThere()) resolve();
    };
    const watching = shown.onWriteParsed(look);
    const timer = setTimeout(resolve, patience);
    look();
    await Promise.race([seen, ended]);
    watching.dispose();
    clearTimeout(timer);
    if (!isThere()) throw new Error(`The screen never showed ${text}:\n${screen()}`);
    return screen();
  }

  return {
    screen,
    cells,
    type: (text) => child.write(text),
    press: (...pressed) => child.write(pressed.map((key) => keys[key]).join('')),
    until,
    resize(newColumns, newRows) {
      shown.resize(newColumns, newRows);
      child.resize(newColumns, newRows);
    },
    ended,
    async [Symbol.asyncDispose]() {
      if (running) child.kill('SIGKILL');
      await ended;
      shown.dispose();
    },
  };
}
