import { type Cell, columns, type Frame, rows, type Screen, textOf } from './record.ts';

/** Sizes in pixels of a character and of the border of the window. */
const cellWidth = 8;
const cellHeight = 17;
const border = 16;
const bar = 28;

/** Palette of the terminal on a light and on a dark page, by the number of the colour. */
const palette: Record<number, readonly [light: string, dark: string]> = {
  0: ['#1f2328', '#1f2328'],
  1: ['#cf222e', '#ff7b72'],
  2: ['#1a7f37', '#3fb950'],
  3: ['#9a6700', '#d29922'],
  4: ['#0969da', '#58a6ff'],
  5: ['#8250df', '#bc8cff'],
  6: ['#1b7c83', '#39c5cf'],
  7: ['#ffffff', '#ffffff'],
  8: ['#59636e', '#8b949e'],
  15: ['#ffffff', '#ffffff'],
};

const colours = Object.entries(palette);

const style = (frames: readonly Frame[]): string => {
  const total = frames.reduce((sum, { duration }) => sum + duration, 0);
  let at = 0;
  const stops = frames.map(({ duration }, index) => {
    const stop = `${((100 * at) / total).toFixed(3)}%{transform:translateY(${-index * rows * cellHeight}px)}`;
    at += duration;
    return stop;
  });
  const theme = (index: 0 | 1, page: string, edge: string, text: string): string =>
    [
      `.page{fill:${page}}.edge{stroke:${edge}}text,.own{fill:${text}}`,
      ...colours.map(([number, pair]) => `.c${number}{fill:${pair[index]}}`),
    ].join('');
  return [
    `text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}`,
    '.b{font-weight:700}.d{opacity:.65}',
    theme(0, '#ffffff', '#d1d9e0', '#1f2328'),
    `@media(prefers-color-scheme:dark){${theme(1, '#0d1117', '#3d444d', '#e6edf3')}}`,
    // A reader who prefers reduced motion sees the last frame.
    `.film{transform:translateY(${-(frames.length - 1) * rows * cellHeight}px)}`,
    `@media(prefers-reduced-motion:no-preference){.film{animation:film ${Math.round(total)}ms step-end infinite}}`,
    `@keyframes film{${stops.join('')}}`,
  ].join('\n');
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const rectangle = (x: number, y: number, width: number, height: number, colour: number | undefined): string =>
  `<path class="${colour === undefined ? 'own' : `c${colour}`}" d="M${x} ${y}h${width}v${height}h-${width}z"/>`;

/** Returns groups of adjacent cells in a row that look the same, each with its first column. */
function runsOf(row: readonly Cell[], look: (cell: Cell) => string): { x: number; cells: Cell[] }[] {
  const runs: { x: number; cells: Cell[]; look: string }[] = [];
  for (const [x, cell] of row.entries()) {
    const last = runs.at(-1);
    if (last?.look === look(cell)) last.cells.push(cell);
    else runs.push({ x, cells: [cell], look: look(cell) });
  }
  return runs;
}

/** Characters that are drawn as shapes, because those of a font leave gaps: the blocks of a QR code, and the line of prompts. */
const blocks: Record<string, { top?: number; height: number; left?: number; width?: number }> = {
  '█': { height: cellHeight },
  '▀': { height: cellHeight / 2 },
  '▄': { top: cellHeight / 2, height: cellHeight / 2 },
  '│': { height: cellHeight, left: 3.5, width: 1 },
};

function drawRow(row: readonly Cell[]): string {
  const backgrounds = runsOf(row, ({ background }) => `${background}`).map(({ x, cells }) => {
    const colour = cells[0]?.background;
    return colour === undefined
      ? ''
      : rectangle(x * cellWidth, 0, cells.length * cellWidth, cellHeight, colour);
  });
  const looks = runsOf(row, ({ text, foreground, bold, dim }) =>
    text in blocks ? `${text}${foreground}` : `${foreground}${bold}${dim}`,
  ).map(({ x, cells }) => {
    const [first] = cells;
    if (first === undefined) return '';
    const block = blocks[first.text];
    if (block) {
      const { top = 0, height, left = 0, width = cells.length * cellWidth } = block;
      return rectangle(x * cellWidth + left, top, width, height, first.foreground);
    }
    const text = cells
      .map((cell) => cell.text)
      .join('')
      .trimEnd();
    const start = text.length - text.trimStart().length;
    const words = text.trimStart();
    if (words === '') return '';
    const classes = [
      ...(first.foreground === undefined ? [] : [`c${first.foreground}`]),
      ...(first.bold ? ['b'] : []),
      ...(first.dim ? ['d'] : []),
    ].join(' ');
    return `<text${classes && ` class="${classes}"`} x="${(x + start) * cellWidth}" y="13" textLength="${words.length * cellWidth}">${escaped(words)}</text>`;
  });
  return [...backgrounds, ...looks].join('');
}

/** Returns the last screen of an order's film, without the parts that differ each time: ids, amounts, times and ports. */
export const outlineOf = (screen: Screen): string =>
  textOf(screen)
    .split('\n')
    .filter((line) => !/[█▀▄]/.test(line))
    .join('\n')
    .replaceAll(/[A-Z]{8}\b|\d+/g, '#')
    .trim();

/** Draws the screens as an animated SVG, in the colours of the page's theme. */
export function drawFilm(frames: readonly Frame[], title: string): string {
  const rowIds = new Map<string, string>();
  const screens = frames.map(({ screen }, index) => {
    const uses = screen.map((row, y) => {
      const drawn = drawRow(row);
      if (drawn === '') return '';
      const id = rowIds.get(drawn) ?? `r${rowIds.size}`;
      rowIds.set(drawn, id);
      return `<use href="#${id}" y="${(index * rows + y) * cellHeight}"/>`;
    });
    return uses.join('');
  });
  const width = columns * cellWidth;
  const height = rows * cellHeight;
  const definitions = [...rowIds].map(([drawn, id]) => `<g id="${id}">${drawn}</g>`);
  const size = [width + 2 * border, height + border + bar] as const;
  const end = outlineOf(frames.at(-1)?.screen ?? []);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.join(' ')}" width="${size[0]}" height="${size[1]}" role="img">
<title>${escaped(title)}</title>
<desc>${escaped(end)}</desc>
<style>
${style(frames)}
</style>
<defs>
${definitions.join('\n')}
</defs>
<rect class="page edge" x=".5" y=".5" width="${size[0] - 1}" height="${size[1] - 1}" rx="8"/>
<circle cx="18" cy="15" r="5" fill="#ff5f57"/><circle cx="35" cy="15" r="5" fill="#febc2e"/><circle cx="52" cy="15" r="5" fill="#28c840"/>
<svg x="${border}" y="${bar}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" overflow="hidden">
<g class="film">
${screens.join('\n')}
</g>
</svg>
</svg>
`;
}
