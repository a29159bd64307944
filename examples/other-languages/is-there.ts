import { spawnSync } from 'node:child_process';

/** Whether a language is installed here. */
export const isThere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;
