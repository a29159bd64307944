export { drawGameBanner } from './game-banner.ts';
export { type DrawnGame, drawGameImage } from './game-image.ts';
export { type DrawnPaymentMethod, drawPaymentMethodImage } from './payment-method-image.ts';
export { type DrawnProduct, drawProductImage } from './product-image.ts';
