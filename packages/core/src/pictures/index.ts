export { drawGameBanner, drawGameImage } from './game.ts';
export { drawPaymentMethodImage } from './payment-method.ts';
export { drawProductImage } from './product.ts';
