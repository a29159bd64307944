import type ts from 'typescript';

/** A type as it is written, on one line. */
export const typeText = (node: ts.Node): string =>
  node
    .getText()
    .replace(/\/\*\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/^\| /, '')
    .replace(/([(<]) \|? ?/g, '$1')
    .trim();
