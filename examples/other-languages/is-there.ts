import { spawnSync } from 'node:child_process';

/** Tells whether a language is installed on this machine. */
export const isThere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;
