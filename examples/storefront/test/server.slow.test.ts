import { otherJourneys } from './helpers/journeys.ts';
import { screens } from './helpers/screens.ts';
import { shopForTests } from './helpers/shop.ts';

const tools = shopForTests('server', { width: 1280, height: 800 });

screens(tools);
// Every `pnpm test` runs the main journeys.
otherJourneys(tools);
