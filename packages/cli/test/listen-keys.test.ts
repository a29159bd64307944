import { expect, it } from 'vitest';
import { openKeyLine } from '../src/commands/listen/keys.ts';
import { fakeTerminal } from './helpers/fake-terminal.ts';
import { orderEvent } from './helpers/order-event.ts';

const clear = '\r\u001b[K';
const up = '\u001b[A';
const down = '\u001b[B';

/** A line of keys: what it asked for, and what each step writes. */
function openLine({ forwards = true, columns = 120 }: { forwards?: boolean; columns?: number } = {}) {
  const terminal = fakeTerminal();
  const modes: boolean[] = [];
  Object.assign(terminal.input, { setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  const resent: string[] = [];
  let quits = 0;
  const line = openKeyLine(
    terminal,
    { columns, paint: (style, text) => `<${style}>${text}</>` },
    {
      resend: forwards ? ({ data }) => resent.push(data.order.order_id) : undefined,
      quit: () => {
        quits += 1;
      },
    },
  );
  return {
    line,
    terminal,
    modes,
    resent,
    quits: () => quits,
    press(keys: string) {
      terminal.input.write(keys);
    },
    /** The last line, without its end. */
    shown: () => terminal.shown().split(clear).at(-1),
    /** Adds events of orders 1 to `count`, each a second after the one before. */
    addEvents(count: number) {
      for (let number = 1; number <= count; number += 1)
        line.add(
          orderEvent(
            `INV-${number}`,
            'order.paid',
            new Date(1_774_751_400_000 + number * 1_000).toISOString(),
          ),
        );
    },
  };
}

/** The order whose event is selected. */
const selected = ({ shown }: ReturnType<typeof openLine>): string | undefined =>
  /INV-\d+/.exec(shown() ?? '')?.[0];

it('explains how to quit before the first event', () => {
  const { shown, terminal } = openLine();
  expect(terminal.shown()).toBe(`${clear}<quiet>q quit</>`);
  expect(shown()).toBe('<quiet>q quit</>');
});

it('shows the selected event and its keys on one line', () => {
  const wide = openLine();
  wide.addEvents(1);
  expect(wide.shown()).toBe('<quiet>› 09:30:01  order.paid        INV-1   ↑↓ select, r resend, q quit</>');
  const narrow = openLine({ columns: 48 });
  narrow.addEvents(1);
  expect(narrow.shown()).toBe('<quiet>› 09:30:01  order.paid        INV-1   ↑↓ selec…</>');
});

it('offers r only while events are forwarded', () => {
  const opened = openLine({ forwards: false });
  opened.addEvents(1);
  expect(opened.shown()).toMatch(/INV-1 {3}↑↓ select, q quit<\/>$/);
  opened.press('r');
  expect(opened.resent).toEqual([]);
});

it('selects each new event unless the user selected an older event', () => {
  const opened = openLine();
  opened.addEvents(2);
  expect(selected(opened)).toBe('INV-2');
  opened.press(up);
  expect(selected(opened)).toBe('INV-1');
  opened.line.add(orderEvent('INV-3'));
  expect(selected(opened)).toBe('INV-1');
  opened.press(down);
  expect(selected(opened)).toBe('INV-2');
  opened.press(down);
  opened.line.add(orderEvent('INV-4'));
  expect(selected(opened)).toBe('INV-4');
});

it('stops the selection at the oldest and at the newest event', () => {
  const opened = openLine();
  opened.addEvents(2);
  opened.press(down);
  expect(selected(opened)).toBe('INV-2');
  opened.press(up + up + up);
  expect(selected(opened)).toBe('INV-1');
  opened.press(down);
  expect(selected(opened)).toBe('INV-2');
});

it('keeps the newest 200 events', () => {
  const opened = openLine();
  opened.addEvents(200);
  opened.press(up.repeat(300));
  expect(selected(opened)).toBe('INV-1');
  opened.line.add(orderEvent('INV-201'));
  // The oldest is gone, so the selection moves on.
  expect(selected(opened)).toBe('INV-2');
  opened.press(down.repeat(150));
  expect(selected(opened)).toBe('INV-152');
  opened.line.add(orderEvent('INV-202'));
  expect(selected(opened)).toBe('INV-152');
  opened.press(down.repeat(300));
  expect(selected(opened)).toBe('INV-202');
});

it('resends the selected event with r, and ignores r before the first event', () => {
  const opened = openLine();
  opened.press('r');
  expect(opened.resent).toEqual([]);
  opened.addEvents(3);
  opened.press(`${up}r${up}r`);
  opened.press('x');
  expect(opened.resent).toEqual(['INV-2', 'INV-1']);
  expect(opened.quits()).toBe(0);
});

it.each([
  ['q', 'q'],
  ['Ctrl+C', '\u0003'],
  ['Ctrl+D', '\u0004'],
])('quits on %s', (_name, key) => {
  const opened = openLine();
  opened.press(key);
  expect(opened.quits()).toBe(1);
});

it.each(['c', 'd', '\u0001', '\r'])("doesn't quit on %j", (key) => {
  const opened = openLine();
  opened.press(key);
  expect(opened.quits()).toBe(0);
});

it('redraws the status line below later output, even after an error', async () => {
  const { line, terminal } = openLine();
  const before = terminal.shown().length;
  expect(
    await line.above(async () => {
      terminal.output.write('an event\n');
      return 7;
    }),
  ).toBe(7);
  expect(terminal.shown().slice(before)).toBe(`${clear}an event\n${clear}<quiet>q quit</>`);
  const failed = line.above(() => Promise.reject(new Error('full disk')));
  await expect(failed).rejects.toThrow('full disk');
  expect(terminal.shown().endsWith(`${clear}<quiet>q quit</>`)).toBe(true);
});

it('reads each key press while the command runs, and then restores the terminal', () => {
  const opened = openLine();
  expect(opened.modes).toEqual([true]);
  expect(opened.terminal.input.isPaused()).toBe(false);
  opened.line[Symbol.dispose]();
  expect(opened.modes).toEqual([true, false]);
  expect(opened.terminal.input.isPaused()).toBe(true);
  expect(opened.shown()).toBe('');
  opened.terminal.input.emit('keypress', undefined, { name: 'q' });
  expect(opened.quits()).toBe(0);
});

it('works with an input that has no raw mode', () => {
  const terminal = fakeTerminal();
  Object.assign(terminal.input, { setRawMode: 'no function' });
  using line = openKeyLine(
    terminal,
    { paint: (_style, text) => text },
    { resend: undefined, quit: () => {} },
  );
  line.add(orderEvent('INV-1'));
  expect(terminal.shown()).toContain('INV-1');
});
