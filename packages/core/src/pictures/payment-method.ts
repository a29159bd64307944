import { ArrowLeftRight, type IconNode, Landmark, QrCode, Store, Wallet } from 'lucide';
import { type PaymentGroup, type PaymentIcon, paymentKinds } from '../contract/index.ts';
import { drawIcon, linearGradient, paletteOf, svgDocument } from './drawing.ts';
import { drawLabel, oneLine } from './text.ts';

const icons: Record<PaymentIcon, IconNode> = { QrCode, Landmark, Store, Wallet, ArrowLeftRight };

/** The fields of a payment method that its picture shows. */
export interface DrawnPaymentMethod {
  code: string;
  name: string;
  group: PaymentGroup;
}

/**
 * Draws a picture for a payment method that has none in the catalogue: a coloured card with its name and its group's icon,
 * which needs no white ground.
 *
 * @example
 * drawPaymentMethodImage({ code: 'DANA', name: 'DANA', group: 'E-Wallet' }); // <svg ...>
 */
export function drawPaymentMethodImage({ code, name, group }: DrawnPaymentMethod): string {
  const [width, height] = [320, 128];
  const { from, to } = paletteOf(code);
  const label = oneLine(name) || code;
  return svgDocument({
    width,
    height,
    title: label,
    gradients: [linearGradient('tile', 'diagonal', [0, from], [1, to])],
    shapes: [
      `<rect width="${width}" height="${height}" rx="18" fill="url(#tile)"/>`,
      drawIcon(
        icons[paymentKinds[group].icon],
        { x: 18, y: 34, width: 60, height: 60 },
        'fill="none" stroke="#ffffff" stroke-width="2"',
      ),
      // As large as it fits: shops show the picture a hundred pixels wide.
      drawLabel(label, { x: 92, y: 0, width: 200, height, sizes: [46, 42, 38, 34, 31, 26] }),
    ],
  });
}
