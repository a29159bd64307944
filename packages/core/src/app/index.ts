export { type Connection, isLoopback } from './admission.ts';
export type { Answer } from './answer.ts';
export { createAnswerRenderer } from './answer-renderer.ts';
export * from './app.ts';
export { isFromAnotherSite } from './cross-site.ts';
export { isOfInterface } from './dialect/interface-path.ts';
export { RefusalWithHeaders } from './refusal-with-headers.ts';
export * from './settings.ts';
export { createUrls, paymentPath, pictureFolders, type Urls } from './urls.ts';
