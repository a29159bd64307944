export type { Define } from '../define-command.ts';
