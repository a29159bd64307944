import { journeys } from './helpers/journeys.ts';
import { screens } from './helpers/screens.ts';
import { shopForTests } from './helpers/shop.ts';

const tools = shopForTests('mock', { width: 360, height: 740 });

screens(tools);
// Every `pnpm test` runs them on the server.
journeys(tools);
