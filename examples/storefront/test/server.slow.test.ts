import { screens } from './helpers/screens.ts';
import { shopForTests } from './helpers/shop.ts';

// Every `pnpm test` checks them on the mock, at the size of a phone.
screens(shopForTests('server', { width: 1280, height: 800 }));
