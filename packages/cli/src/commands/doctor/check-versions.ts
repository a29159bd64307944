import { type } from 'node:os';
import { version } from '../../version.ts';
import { type Check, good } from './check.ts';

/** A Node that is too old never gets here: the command refuses to start. */
export const checkVersions = (): Check =>
  good('versions', `topup ${version} on Node ${process.version}, ${type()} (${process.arch})`);
