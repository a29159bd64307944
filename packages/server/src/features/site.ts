import type { Site } from '../service/site.ts';
import { consoleSite } from './console/site.ts';

/** The room with the operators' pages. */
export const site: { console?: Site } = {
  console: consoleSite,
};
