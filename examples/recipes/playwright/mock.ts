import { test as base } from '@playwright/test';
import { type TopupFixtures, topupFixtures } from '@topup-kit/mock/playwright';

/** Gives each test its own service, `mock`, which answers the requests of its pages. */
export const test = base.extend<TopupFixtures>(topupFixtures);
