/**
 * A sentence of a document, by the id that {@link parseStatements} gives it: `interface 2.1/populer` is the row
 * `populer` of section 2.1; `open-points Errors/...` is this kit's reading of the interface's silence.
 */
export type Citation = `interface ${string}` | `open-points ${string}`;
