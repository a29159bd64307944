import { journeys } from './helpers/journeys.ts';
import { shopForTests } from './helpers/shop.ts';

// Every `pnpm test` runs them on the server.
journeys(shopForTests('mock', { width: 360, height: 740 }));
