import { describe, expect, it } from 'vitest';
import { paymentGroups } from '../src/contract/index.ts';
import {
  drawGameBanner,
  drawGameImage,
  drawPaymentMethodImage,
  drawProductImage,
} from '../src/pictures/index.ts';
import { palettes } from '../src/pictures/scene.ts';
import { initialsOf } from '../src/pictures/text.ts';

const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const attribute = /\s+([a-zA-Z_][\w:-]*)="((?:[^<&"]|&(?:amp|lt|gt|quot|apos);)*)"/y;
const characters = /(?:[^<&]|&(?:amp|lt|gt|quot|apos);)+/y;
const open = /<([a-zA-Z]\w*)/y;
const openEnd = /\s*(\/?)>/y;
const close = /<\/([a-zA-Z]\w*)>/y;

/** The first error of a picture as XML 1.0; a strict parser for the small part of XML that the pictures use. */
function xmlProblem(xml: string): string | undefined {
  if (forbidden.test(xml)) return 'a forbidden character';
  const elements: string[] = [];
  let at = 0;
  const next = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(xml);
    if (match) at = pattern.lastIndex;
    return match;
  };
  do {
    const ending = next(close);
    const starting = ending ? null : next(open);
    if (ending && elements.pop() !== ending[1]) return `a stray </${ending[1]}>`;
    if (starting?.[1]) {
      const names = new Set<string>();
      for (let pair = next(attribute); pair?.[1]; pair = next(attribute)) {
        if (names.has(pair[1])) return `a second ${pair[1]}`;
        names.add(pair[1]);
      }
      const end = next(openEnd);
      if (!end) return `a broken <${starting[1]}> at ${xml.slice(at, at + 40)}`;
      if (end[1] === '') elements.push(starting[1]);
    }
    if (!ending && !starting && !next(characters)) return `broken content at ${xml.slice(at, at + 40)}`;
  } while (elements.length > 0 && at < xml.length);
  if (elements.length > 0) return `an open <${elements.at(-1)}>`;
  return at < xml.length ? 'something after the root' : undefined;
}

/** The four kinds of pictures, with the same text as title and brand, and the same slug or code. */
const picturesOf = (text: string, slug = 'some-game') => [
  drawGameImage({ slug, title: text, brand: text }),
  drawGameBanner({ slug, title: text, brand: 'Brand' }),
  drawProductImage({ code: slug, title: text, brand: text }),
  drawPaymentMethodImage({ code: slug, name: text, group: 'Retail' }),
];

const shownText = (svg: string): string =>
  [...svg.matchAll(/<tspan[^>]*>([^<]*)/g)].map((span) => span[1]).join(' ');

const hostile = {
  markup: '<script>alert(1)</script>',
  'end of the title': '</title></svg><!-- ]]>',
  ampersands: 'Clash & Co &amp; &#0; &nope;',
  quotes: `"double" 'single' " onload="alert(1)`,
  controls: 'a\u0000b\u0007c\u001B[31md\u007F\uFFFE\uFFFF',
  'half surrogates': '\uD83D Fire \uDE00',
  emoji: '🔥👨‍👩‍👧🇮🇩',
  long: 'Wonderful '.repeat(26).slice(0, 255),
  'long and unbroken': 'W'.repeat(255),
  spaces: '   \n\t ',
  nothing: '',
  punctuation: '!!! ...',
  Thai: 'เกมมือถือยอดนิยมของไทย',
  Chinese: '王者荣耀国际版',
  'right to left': 'ببجي موبايل',
};

describe('every picture', () => {
  it.each(Object.entries(hostile))('draws a well-formed picture for a title with %s', (_, text) => {
    for (const svg of picturesOf(text)) expect(xmlProblem(svg)).toBeUndefined();
  });

  it.each(['', '<b>"&\'', '\u0000'])('draws a well-formed picture for the key %j', (slug) => {
    for (const svg of [...picturesOf('Free Fire', slug), ...picturesOf('', slug)])
      expect(xmlProblem(svg)).toBeUndefined();
  });

  it('draws a well-formed picture in each style that a slug can select', () => {
    for (let index = 0; index < 200; index++)
      for (const svg of picturesOf('Free Fire', `game-${index}`)) expect(xmlProblem(svg)).toBeUndefined();
  });

  it('draws the same picture each time', () => {
    expect(picturesOf('Free Fire', 'free-fire')).toEqual(picturesOf('Free Fire', 'free-fire'));
  });

  it('draws different pictures for different slugs or codes, even if everything else is equal', () => {
    const slugs = Array.from({ length: 100 }, (_, index) => `game-${index}`);
    const images = slugs.map((slug) => drawGameImage({ slug, title: 'Game', brand: 'Game' }));
    const products = slugs.map((code) => drawProductImage({ code, title: '86 Diamonds', brand: 'Game' }));
    expect(new Set(images).size).toBe(100);
    expect(new Set(products).size).toBe(100);
  });

  it('contains the title for screen readers', () => {
    for (const svg of picturesOf('Tom & Jerry')) expect(svg).toContain('<title>Tom &amp; Jerry</title>');
  });

  it('shows the slug or code without a title', () => {
    for (const svg of picturesOf(' \u0000 ')) expect(svg).toContain('<title>some-game</title>');
  });

  it('uses no external font, picture or script', () => {
    for (const svg of picturesOf('Free Fire')) {
      expect(svg.match(/font-family="[^"]*"/g)).toEqual(
        expect.arrayContaining(['font-family="system-ui, sans-serif"']),
      );
      expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
        /https?:|<script|<image|@import|href="[^#]/,
      );
    }
  });
});

describe('text in a picture', () => {
  it('shows the complete text if it fits, on several lines if necessary', () => {
    const title = 'League of Legends: Wild Rift';
    const banner = drawGameBanner({ slug: 'wild-rift', title, brand: 'Riot Games' });
    expect(shownText(banner)).toBe(`LOL ${title} Riot Games`);
  });

  it("doesn't repeat a brand that the title contains", () => {
    const title = 'VALORANT Mobile';
    const banner = drawGameBanner({ slug: 'valorant', title, brand: 'Valorant' });
    expect(shownText(banner)).toBe(`VM ${title}`);
  });

  it.each([
    // The widths at which the example shop shows them on a phone.
    ['a game', 110, drawGameImage({ slug: 'x', title: 'X', brand: 'Mobile Legends' })],
    ['a banner', 279, drawGameBanner({ slug: 'x', title: 'Mobile Legends: Bang Bang', brand: 'Moonton' })],
    [
      'a payment method',
      104,
      drawPaymentMethodImage({ code: 'X', name: 'BRI Virtual Account', group: 'Retail' }),
    ],
  ])('keeps text at least ten pixels high on a phone: %s', (_kind, shownWidth, svg) => {
    const width = Number(/<svg[^>]* viewBox="0 0 (\d+)/.exec(svg)?.[1]);
    const sizes = [...svg.matchAll(/<text[^>]* font-size="([\d.]+)"/g)].map(([, size]) => Number(size));
    expect(sizes.length).toBeGreaterThan(0);
    for (const size of sizes) expect((size * shownWidth) / width).toBeGreaterThanOrEqual(10);
  });

  it.each(['long', 'long and unbroken'] as const)('cuts text that is too %s', (kind) => {
    for (const svg of picturesOf(hostile[kind])) {
      expect(shownText(svg)).toContain('…');
      expect(shownText(svg).length).toBeLessThan(110);
    }
  });

  it('never splits a character', () => {
    const svg = drawProductImage({ code: 'X', title: '👨‍👩‍👧'.repeat(40), brand: 'X' });
    expect(shownText(svg).replaceAll('👨‍👩‍👧', '')).toBe(' …');
  });

  it.each([
    ['Clash of Clans', 'COC'],
    ['Mobile Legends: Bang Bang', 'MLBB'],
    ['League of Legends: Wild Rift', 'LOL'],
    ['eFootball', 'E'],
    ['!!! ...', '!'],
    ['   ', ''],
    ['👨‍👩‍👧 Family', 'F'],
    ['👨‍👩‍👧', '👨‍👩‍👧'],
    ['王者荣耀', '王'],
  ])('abbreviates %j as %j', (title, initials) => {
    expect(initialsOf(title)).toBe(initials);
  });
});

describe('colours', () => {
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (light: string, dark: string) => (luminance(light) + 0.05) / (luminance(dark) + 0.05);

  it.each(palettes)('gives text enough contrast: %o', ({ deep, from, to, glow }) => {
    for (const ground of [deep, from, to]) expect(contrast('#ffffff', ground)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(glow, deep)).toBeGreaterThanOrEqual(4.5);
  });
});

it('draws a different icon for each group of payment methods', () => {
  const draw = (group: (typeof paymentGroups)[number]) =>
    drawPaymentMethodImage({ code: 'X', name: group, group });
  const signs = paymentGroups.map(
    (group) => draw(group).match(/<svg [^>]*viewBox="0 0 24 24".*?<\/svg>/)?.[0],
  );
  expect(new Set(signs).size).toBe(paymentGroups.length);
});

it('draws a payment method without a white box, which would be visible on a selected or dark card', () => {
  for (const group of paymentGroups)
    expect(drawPaymentMethodImage({ code: 'X', name: group, group })).not.toMatch(/<rect[^>]*fill="#ffffff"/);
});
