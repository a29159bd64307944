import type { Command } from 'commander';
import type { Io } from '../io.ts';

/** Adds what a command takes and does. */
export type Define = (command: Command, io: Io) => void;
