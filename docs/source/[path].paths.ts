import { sourcePages } from '../.vitepress/sources.ts';

export default { paths: sourcePages };
