import { shopLanguages } from './shops.ts';
import { describeShop } from './suite.ts';

for (const language of shopLanguages) {
  const needs = `${language.name}, which .ci/languages fetches`;
  const runtime = language.fetched() ?? language.installed();
  describeShop(language, { runtime, needs, each: Number.POSITIVE_INFINITY });
}
