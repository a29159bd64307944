import { styleText } from 'node:util';
import { type Io, type Output, setting } from '../io.ts';
import { visibleLines } from './text.ts';

const styles = {
  title: 'bold',
  good: 'green',
  waiting: 'yellow',
  bad: 'red',
  quiet: 'dim',
  address: 'cyan',
  picture: ['black', 'bgWhiteBright'],
} satisfies Record<string, Parameters<typeof styleText>[0]>;

export type Style = keyof typeof styles;

export interface OutputStyle {
  /** Width of the terminal; undefined without a terminal, and then nothing is cut. */
  columns?: number | undefined;
  /** Applies a style; returns the text unchanged without colours. */
  paint(style: Style | undefined, text: string): string;
}

/** Style for files and pipes: no width, no colours. */
export const plain: OutputStyle = { paint: (_style, text) => text };

/** Tells whether to use colours. FORCE_COLOR overrides NO_COLOR, and both override the stream's type (no-color.org, force-color.org). */
function hasColours(io: Pick<Io, 'environment'>, { isTTY }: Output): boolean {
  const forced = setting(io, 'FORCE_COLOR');
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (setting(io, 'NO_COLOR') !== undefined || setting(io, 'TERM') === 'dumb') return false;
  return isTTY === true;
}

const inColour = (style: Style | undefined, text: string): string =>
  style === undefined || text === '' ? text : styleText(styles[style], text, { validateStream: false });

const escapeCharacter = '\u001b';

/**
 * Removes all control characters from a screen, except line breaks and the program's own styles. Texts from services, customers and files
 * then can't control the terminal, even if a command forgot to escape them.
 */
export async function safeScreen(
  screen: (style: OutputStyle) => string | Promise<string>,
  style: OutputStyle,
): Promise<string> {
  // The marker is random, so that no other text contains it. Node loads its crypto only here, which saves each other command 5 ms.
  const own = escapeCharacter + crypto.randomUUID();
  const text = await screen({
    ...style,
    paint: (name, text) => style.paint(name, visibleLines(text)).replaceAll(escapeCharacter, own),
  });
  return text.split(own).map(visibleLines).join(escapeCharacter);
}

export const styleOf = (io: Pick<Io, 'environment'>, output: Output): OutputStyle => ({
  columns: output.isTTY === true ? (output.columns ?? 80) : undefined,
  paint: hasColours(io, output) ? inColour : plain.paint,
});

const statusStyles: ReadonlyMap<string, Style> = new Map(
  Object.entries<Style>({
    PAID: 'good',
    Sukses: 'good',
    UNPAID: 'waiting',
    Pending: 'waiting',
    Proses: 'waiting',
    EXPIRED: 'bad',
    FAILED: 'bad',
    Batal: 'bad',
    Gagal: 'bad',
  }),
);

/** Returns the style of an order status; undefined for an unknown status. */
export const statusStyle = (status: string): Style | undefined => statusStyles.get(status);
