import { type Chance, pick } from './chance.ts';
import { around, closedPath, type Point, short, sparkle } from './svg.ts';

/** The field that a motif covers, and where its middle is. */
export interface Field {
  width: number;
  height: number;
  centre: Point;
}

type Motif = (field: Field, chance: Chance) => string;

const times = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

const between = (chance: Chance, least: number, most: number): number => least + chance() * (most - least);

/** A part of a motif; what nobody would see is left out. */
const shape = (d: string, opacity: number): string =>
  opacity < 0.02 ? '' : `<path d="${d}" fill-opacity="${opacity.toFixed(2)}"/>`;

const rays: Motif = ({ width, height, centre }, chance) => {
  const count = Math.round(between(chance, 9, 16));
  const turn = chance();
  const wedge = (index: number) =>
    closedPath([
      centre,
      around(centre, width + height, turn + index / count),
      around(centre, width + height, turn + (index + 0.5) / count),
    ]);
  return times(count, (index) => shape(wedge(index), 0.16));
};

const circle = ({ x, y }: Point, radius: number, look: string): string =>
  `<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius)}" ${look}/>`;

const line = 'fill="none" stroke="currentColor" stroke-width="2.5" stroke-opacity=".28"';

const rings: Motif = ({ width, height, centre }, chance) => {
  const step = between(chance, 34, 52);
  const count = Math.ceil(Math.max(width, height) / step);
  const ring = (index: number) => {
    const radius = (index + 1) * step;
    const moon = around(centre, radius, chance());
    return circle(centre, radius, line) + circle(moon, between(chance, 5, 15), 'fill-opacity=".6"');
  };
  return times(count, ring);
};

const beams: Motif = ({ width, height }, chance) => {
  const lean = between(chance, 0.35, 0.8) * height;
  const count = Math.ceil((width + lean) / 46);
  const beam = (index: number) => {
    const left = index * 46 - lean + chance() * 30;
    const thick = between(chance, 8, 44);
    return closedPath([
      { x: left, y: height },
      { x: left + lean, y: 0 },
      { x: left + lean + thick, y: 0 },
      { x: left + thick, y: height },
    ]);
  };
  return times(count, (index) => shape(beam(index), between(chance, 0.06, 0.26)));
};

const facets: Motif = ({ width, height }, chance) => {
  const side = between(chance, 78, 104);
  const columns = Math.ceil((width / side) * 2) + 2;
  const facet = (row: number, column: number) => {
    const x = ((column - 1) * side) / 2;
    const [tip, base] = (row + column) % 2 ? [row, row + 1] : [row + 1, row];
    return closedPath([
      { x: x - side / 2, y: base * side },
      { x: x + side / 2, y: base * side },
      { x, y: tip * side },
    ]);
  };
  return times(Math.ceil(height / side), (row) =>
    times(columns, (column) => shape(facet(row, column), chance() ** 2 * 0.34)),
  );
};

const hexagon = (centre: Point, radius: number): string =>
  closedPath(Array.from({ length: 6 }, (_, index) => around(centre, radius, index / 6)));

const cells: Motif = ({ width, height }, chance) => {
  const radius = between(chance, 34, 48);
  const step = radius * Math.sqrt(3);
  const cell = (row: number, column: number) =>
    hexagon({ x: (column + (row % 2) / 2) * step, y: row * radius * 1.5 }, radius * 0.92);
  return times(Math.ceil(height / radius / 1.5) + 1, (row) =>
    times(Math.ceil(width / step) + 1, (column) => shape(cell(row, column), chance() ** 3 * 0.5)),
  );
};

const stars: Motif = ({ width, height }, chance) =>
  times(Math.round((width * height) / 9000), () => {
    const centre = { x: chance() * width, y: chance() * height };
    return shape(sparkle(centre, 6 + chance() ** 3 * 58), between(chance, 0.2, 0.65));
  });

const waves: Motif = ({ width, height }, chance) => {
  const length = between(chance, 190, 300);
  const layers = 5;
  const wave = (layer: number) => {
    const level = height * (0.28 + (layer / layers) * 0.72);
    const rise = between(chance, 22, 46);
    const crests = Math.ceil(width / length) + 2;
    const start = `M${short(-chance() * length)} ${short(level)}`;
    const crest = `q${short(length / 4)} ${short(-rise)} ${short(length / 2)} 0t${short(length / 2)} 0`;
    return `${start}${crest.repeat(crests)}V${height + 60}H${-width}Z`;
  };
  return times(layers, (layer) => shape(wave(layer), 0.15));
};

const peaks: Motif = ({ width, height }, chance) => {
  const range = (layer: number) => {
    const count = Math.ceil(width / (130 - layer * 14)) + 1;
    const floor = height * (0.42 + layer * 0.2);
    const ridge = Array.from({ length: count + 1 }, (_, index) => ({
      x: ((index - 0.5 + (chance() - 0.5) * 0.5) / (count - 1)) * width,
      y: floor - (index % 2 ? between(chance, 0.12, 0.32) : -0.04) * height,
    }));
    return closedPath([{ x: -width, y: height }, ...ridge, { x: width * 2, y: height }]);
  };
  const sun = { x: between(chance, 0.2, 0.8) * width, y: height * 0.24 };
  return (
    circle(sun, between(chance, 34, 70), 'fill-opacity=".4"') + times(3, (layer) => shape(range(layer), 0.17))
  );
};

const motifs: readonly [Motif, ...Motif[]] = [rays, rings, beams, facets, cells, stars, waves, peaks];

/**
 * An ornament for a background, chosen and varied by chance, in one colour.
 *
 * @example
 * drawMotif({ width: 512, height: 512, centre: { x: 256, y: 256 } }, chanceOf(slug), '#c4b5fd');
 */
export const drawMotif = (field: Field, chance: Chance, colour: string): string =>
  `<g fill="${colour}" color="${colour}">${pick(motifs, chance())(field, chance)}</g>`;
