import type { Curve, CurvePoint } from './measure.ts';

/** A panel of a drawing, in pixels: the area between the axes. */
const panel = { left: 64, top: 64, width: 270, height: 170, gap: 92 };
const size = { width: 2 * panel.width + 2 * panel.gap - 4, height: panel.top + panel.height + 56 };

const style = `
  svg { font: 12px system-ui, sans-serif; }
  .back { fill: #ffffff; } text { fill: #1f2328; } .quiet { fill: #59636e; }
  .grid { stroke: #d1d9e0; } .axis { stroke: #59636e; }
  .s0 { stroke: #0a5fc4; fill: #0a5fc4; } .s1 { stroke: #b04a00; fill: #b04a00; }
  .line { fill: none; stroke-width: 2; } .s1.line { stroke-dasharray: 6 4; }
  .title { font-size: 15px; font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117; } text { fill: #f0f6fc; } .quiet { fill: #9198a1; }
    .grid { stroke: #3d444d; } .axis { stroke: #9198a1; }
    .s0 { stroke: #5aa9ff; fill: #5aa9ff; } .s1 { stroke: #ff9a52; fill: #ff9a52; }
  }`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const grouped = (value: number): string =>
  new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }).format(value);

/** The distance of the lines of a grid: 1, 2 or 5 times a power of ten, so that there are at most five. */
function stepOf(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(largest / 5));
  const factor = [1, 2, 5, 10].find((each) => each * power * 5 >= largest) ?? 10;
  return factor * power;
}

const text = (x: number, y: number, words: string, attributes = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escaped(words)}</text>`;

/** Draws one value of all series over what grows. Each number that was measured has the same distance from the next one. */
function drawPanel(
  { axis, series }: Curve,
  { unit, read }: { unit: string; read: (point: CurvePoint) => number },
  left: number,
): string {
  const at = [...new Set(series.flatMap(({ points }) => points.map((point) => point.at)))].sort(
    (a, b) => a - b,
  );
  const largest = Math.max(...series.flatMap(({ points }) => points.map(read)));
  const step = stepOf(largest);
  const top = Math.ceil(largest / step) * step;
  const bottom = panel.top + panel.height;
  const inset = 20;
  const x = (value: number): number =>
    left + inset + (at.indexOf(value) * (panel.width - 2 * inset)) / Math.max(1, at.length - 1);
  const y = (value: number): number => bottom - (value * panel.height) / top;

  const grid = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => {
    const value = index * step;
    const line = `<line class="${index === 0 ? 'axis' : 'grid'}" x1="${left}" x2="${left + panel.width}" y1="${y(value)}" y2="${y(value)}"/>`;
    return line + text(left - 8, y(value) + 4, grouped(value), 'class="quiet" text-anchor="end"');
  });
  const numbers = at.map((value) =>
    text(x(value), bottom + 18, grouped(value), 'class="quiet" text-anchor="middle"'),
  );
  const lines = series.map(({ points }, index) => {
    const places = points.map((point) => `${x(point.at).toFixed(1)},${y(read(point)).toFixed(1)}`);
    const dots = places
      .map((place) => place.split(','))
      .map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3.5"/>`);
    return `<polyline class="line s${index}" points="${places.join(' ')}"/><g class="s${index}">${dots.join('')}</g>`;
  });
  return [
    text(left, panel.top - 12, unit, 'class="quiet"'),
    ...grid,
    ...numbers,
    text(left + panel.width / 2, bottom + 38, axis, 'class="quiet" text-anchor="middle"'),
    ...lines,
  ].join('\n  ');
}

/** Draws throughput and p99 of a curve side by side as an SVG that is readable on a light and on a dark page. */
export function drawCurve(curve: Curve): string {
  const { about, series } = curve;
  const values = series.flatMap(({ name, points }) =>
    points.map(
      ({ at, perSecond, p99 }) => `${name}, ${grouped(at)}: ${grouped(perSecond)}/s, p99 ${grouped(p99)} ms`,
    ),
  );
  let right = size.width - 16;
  const legend = series
    .map(({ name }, index) => {
      const place = right;
      right -= 8 * name.length + 44;
      return `${text(place, 26, name, 'text-anchor="end"')}<line class="line s${index}" x1="${place - 7 * name.length - 30}" x2="${place - 7 * name.length - 8}" y1="22" y2="22"/>`;
    })
    .join('\n  ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img">
  <title>${escaped(about)}</title>
  <desc>${escaped(values.join('; '))}</desc>
  <style>${style}
  </style>
  <rect class="back" width="100%" height="100%" rx="6"/>
  ${text(16, 26, about, 'class="title"')}
  ${legend}
  ${drawPanel(curve, { unit: 'requests per second', read: ({ perSecond }) => perSecond }, panel.left)}
  ${drawPanel(curve, { unit: 'p99, ms', read: ({ p99 }) => p99 }, panel.left + panel.width + panel.gap)}
</svg>
`;
}
