import { programName } from '../command-line.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { Problem } from '../errors/problem.ts';
import type { Io } from '../io.ts';

export const noCatalog = (path: string, io: Io): Problem =>
  new Problem(`There is no catalogue in ${path} yet.`, {
    code: 'NO_CATALOG',
    exitCode: exitCodes.failure,
    hint: `A sandbox brings one; else import your own:\n  ${programName(io)} catalog import <file>`,
  });
