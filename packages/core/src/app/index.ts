export type { Connection } from './admission.ts';
export type { Answer } from './answer.ts';
export { createAnswerRenderer } from './answer-renderer.ts';
export * from './app.ts';
export { isFromAnotherSite } from './cross-site.ts';
export * from './settings.ts';
export { createUrls, paymentPath, type Urls } from './urls.ts';
