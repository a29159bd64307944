import { expect, it, vi } from 'vitest';
import './first-sale.ts';

const printed = vi.hoisted(() => {
  const lines: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
  return lines;
});

it('the first example of the README prints that the order is delivered', () => {
  expect(printed).toEqual(['delivered']);
});
