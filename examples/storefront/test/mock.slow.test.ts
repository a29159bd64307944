import { journeys } from './helpers/journeys.ts';
import { shopForTests } from './helpers/shop.ts';

// On the server they are walked by each `pnpm test`.
journeys(shopForTests('mock', { width: 360, height: 740 }));
