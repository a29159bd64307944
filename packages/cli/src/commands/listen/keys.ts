import { emitKeypressEvents } from 'node:readline';
import type { OrderEvent } from '@topup-kit/sdk';
import type { Terminal } from '../../io.ts';
import type { OutputStyle } from '../../output/style.ts';
import { cut } from '../../output/text.ts';
import { eventText } from './lines.ts';

const clearLine = '\r\u001b[K';

/** Maximum number of events that can be selected; these are the newest ones. */
const mostEvents = 200;

/** Last line of a terminal, with the selected event and the keys. */
export interface KeyLine extends Disposable {
  /** Runs `write` with the line hidden. */
  above<Value>(write: () => Promise<Value>): Promise<Value>;
  /** Adds an event, and selects it unless an older event is selected. */
  add(event: OrderEvent): void;
}

interface Actions {
  /** Sends an event again; undefined without forwarding. */
  resend: ((event: OrderEvent) => void) | undefined;
  quit(): void;
}

interface Key {
  name?: string | undefined;
  ctrl?: boolean | undefined;
}

/** Sets the raw mode, which passes on each key immediately. Only a real terminal has this mode. */
function setRaw(input: Terminal['input'], isRaw: boolean): void {
  if ('setRawMode' in input && typeof input.setRawMode === 'function') input.setRawMode(isRaw);
}

/** Reads the keys of a terminal, and shows the selected event in the last line until this is disposed of. */
export function openKeyLine(
  { input, output }: Terminal,
  { columns = 80, paint }: OutputStyle,
  { resend, quit }: Actions,
): KeyLine {
  const events: OrderEvent[] = [];
  let selected = -1;
  const keys = resend ? '↑↓ select, r resend, q quit' : '↑↓ select, q quit';

  const draw = (): void => {
    const event = events[selected];
    const text = event ? `› ${eventText(event)}   ${keys}` : 'q quit';
    output.write(`${clearLine}${paint('quiet', cut(text, columns - 1))}`);
  };
  const select = (index: number): void => {
    selected = Math.min(Math.max(index, 0), events.length - 1);
    draw();
  };
  const onKey = (_text: string | undefined, { name, ctrl }: Key): void => {
    const event = events[selected];
    if (name === 'q' || (ctrl && (name === 'c' || name === 'd'))) quit();
    else if (name === 'up') select(selected - 1);
    else if (name === 'down') select(selected + 1);
    else if (name === 'r' && event) resend?.(event);
  };

  emitKeypressEvents(input);
  setRaw(input, true);
  input.on('keypress', onKey).resume();
  draw();
  return {
    async above(write) {
      output.write(clearLine);
      try {
        return await write();
      } finally {
        draw();
      }
    },
    add(event) {
      const isNewest = selected === events.length - 1;
      events.push(event);
      if (isNewest) selected = events.length - 1;
      if (events.length > mostEvents) {
        events.shift();
        selected = Math.max(selected - 1, 0);
      }
      draw();
    },
    [Symbol.dispose]() {
      input.off('keypress', onKey).pause();
      setRaw(input, false);
      output.write(clearLine);
    },
  };
}
