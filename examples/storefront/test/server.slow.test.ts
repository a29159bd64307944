import { screens } from './helpers/screens.ts';
import { shopForTests } from './helpers/shop.ts';

// On a phone, over the mock, they are looked at by each `pnpm test`.
screens(shopForTests('server', { width: 1280, height: 800 }));
