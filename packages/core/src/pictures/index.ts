export { type DrawnGame, drawGameBanner, drawGameImage } from './game.ts';
export { type DrawnPaymentMethod, drawPaymentMethodImage } from './payment-method.ts';
export { type DrawnProduct, drawProductImage } from './product.ts';
