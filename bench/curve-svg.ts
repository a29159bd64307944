import type { Curve, CurvePoint } from './measure.ts';

/** Panel of a drawing, in pixels: the area between the axes. */
const panel = { left: 64, top: 64, width: 270, height: 170, gap: 92 };
const size = { width: 2 * panel.width + 2 * panel.gap - 4, height: panel.top + panel.height + 56 };

const style = `
  svg { font: 12px system-ui, sans-serif; }
  .back { fill: #ffffff; } text { fill: #1f2328; } .quiet { fill: #59636e; }
  .grid { stroke: #d1d9e0; } .axis { stroke: #59636e; }
  .s0 { stroke: #0a5fc4; } .s1 { stroke: #b04a00; } .s0 circle { fill: #0a5fc4; } .s1 circle { fill: #b04a00; }
  .line { fill: none; stroke-width: 2; } .s1.line { stroke-dasharray: 6 4; }
  .title { font-size: 15px; font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117; } text { fill: #f0f6fc; } .quiet { fill: #9198a1; }
    .grid { stroke: #3d444d; } .axis { stroke: #9198a1; }
    .s0 { stroke: #5aa9ff; } .s1 { stroke: #ff9a52; } .s0 circle { fill: #5aa9ff; } .s1 circle { fill: #ff9a52; }
  }`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const grouped = (value: number): string =>
  new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }).format(value);

interface Scale {
  /** Values at the lines of the grid, from the lowest. */
  lines: number[];
  /** Returns the place of a value: 0 at the lowest line, 1 at the highest. */
  place(value: number): number;
}

/** Chooses lines at 0 and at most five more, 1, 2 or 5 times a power of ten apart; one at each power of ten if values differ much. */
function scaleOf(values: readonly number[]): Scale {
  const [least, largest] = [Math.min(...values), Math.max(...values)];
  if (largest > 20 * least && least > 0) {
    const [low, high] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(largest))];
    return {
      lines: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
      place: (value) => (Math.log10(value) - low) / (high - low),
    };
  }
  const power = 10 ** Math.floor(Math.log10(largest / 5));
  const step = power * ([1, 2, 5, 10].find((each) => each * power * 5 >= largest) ?? 10);
  const count = Math.ceil(largest / step);
  return {
    lines: Array.from({ length: count + 1 }, (_, index) => index * step),
    place: (value) => value / (count * step),
  };
}

const text = (x: number, y: number, words: string, attributes = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escaped(words)}</text>`;

/** Draws one value of all series over the growing quantity. All measured quantities have the same distance from each other. */
function drawPanel(
  { axis, series }: Curve,
  { unit, read }: { unit: string; read: (point: CurvePoint) => number },
  left: number,
): string {
  const at = [...new Set(series.flatMap(({ points }) => points.map((point) => point.at)))].sort(
    (a, b) => a - b,
  );
  const scale = scaleOf(series.flatMap(({ points }) => points.map(read)));
  const bottom = panel.top + panel.height;
  const inset = 20;
  const x = (value: number): number =>
    left + inset + (at.indexOf(value) * (panel.width - 2 * inset)) / Math.max(1, at.length - 1);
  const y = (value: number): number => bottom - scale.place(value) * panel.height;

  const grid = scale.lines.map((value, index) => {
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
