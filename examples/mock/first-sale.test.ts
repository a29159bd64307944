import { expect, it, vi } from 'vitest';
import './first-sale.ts';

const printed = vi.hoisted(() => {
  const lines: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
  return lines;
});

it('prints that the order is delivered in the first example of the README', () => {
  expect(printed).toEqual(['delivered']);
});
