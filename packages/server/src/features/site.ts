import type { Site } from '../service/site.ts';
import { consoleSite } from './console/site.ts';

/** The room that has pages for operators. */
export const site: { console?: Site } = {
  console: consoleSite,
};
