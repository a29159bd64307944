import { ArrowLeftRight, type IconNode, Landmark, QrCode, Store, Wallet } from 'lucide';
import { type PaymentGroup, type PaymentIcon, paymentKinds } from '../contract/index.ts';
import { drawIcon, linearGradient, paletteOf, svgDocument } from './drawing.ts';
import { fitText, oneLine, textHeight, textLines } from './text.ts';

const icons: Record<PaymentIcon, IconNode> = { QrCode, Landmark, Store, Wallet, ArrowLeftRight };

const width = 320;
const height = 128;
const left = 92;

/** The fields of a payment method that its picture shows. */
export interface DrawnPaymentMethod {
  code: string;
  name: string;
  group: PaymentGroup;
}

/** As large as it fits: shops show the picture a hundred pixels wide. */
function drawName(name: string): string {
  const { size, lines } = fitText(name, {
    width: width - left - 28,
    maxLines: 2,
    sizes: [46, 42, 38, 34, 31, 26],
  });
  const first = (height - textHeight(lines.length, size)) / 2 + textHeight(1, size);
  return textLines(lines, { x: left, y: first, size, fill: '#ffffff', weight: 700 });
}

/**
 * Draws a picture for a payment method that has none in the catalogue: a coloured card with its name and its group's icon,
 * which needs no white ground.
 *
 * @example
 * drawPaymentMethodImage({ code: 'DANA', name: 'DANA', group: 'E-Wallet' }); // <svg ...>
 */
export function drawPaymentMethodImage({ code, name, group }: DrawnPaymentMethod): string {
  const { from, to } = paletteOf(code);
  const label = oneLine(name) || code;
  const body = [
    `<defs>${linearGradient('tile', 'diagonal', [0, from], [1, to])}</defs>`,
    `<rect width="${width}" height="${height}" rx="18" fill="url(#tile)"/>`,
    drawIcon(
      icons[paymentKinds[group].icon],
      { x: 18, y: 34, width: 60, height: 60 },
      'fill="none" stroke="#ffffff" stroke-width="2"',
    ),
    drawName(label),
  ].join('');
  return svgDocument({ width, height, title: label, body });
}
