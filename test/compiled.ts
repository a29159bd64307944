import { dirname, join } from 'node:path';

/** What makes Node keep a bundled program as it has compiled it, beside the program, for the processes that run it later. */
export const keepCompiled = (program: string): { NODE_COMPILE_CACHE: string } => ({
  NODE_COMPILE_CACHE: join(dirname(program), 'compiled'),
});
