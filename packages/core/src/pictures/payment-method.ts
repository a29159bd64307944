import { ArrowLeftRight, type IconNode, Landmark, QrCode, Store, Wallet } from 'lucide';
import { type PaymentGroup, type PaymentIcon, paymentKinds } from '../contract/index.ts';
import { drawIcon, linearGradient, paletteOf, svgDocument } from './drawing.ts';
import { fitText, oneLine, textHeight, textLines } from './text.ts';

const icons: Record<PaymentIcon, IconNode> = { QrCode, Landmark, Store, Wallet, ArrowLeftRight };

const width = 320;
const height = 128;
const left = 120;

/** The fields of a payment method that its picture shows. */
export interface DrawnPaymentMethod {
  code: string;
  name: string;
  group: PaymentGroup;
}

/** The name, and the group below it unless the name contains the group. */
function drawName(name: string, group: PaymentGroup): string {
  const { size, lines } = fitText(name, {
    width: width - left - 18,
    maxLines: 2,
    sizes: [32, 28, 24, 21, 18],
  });
  const caption = name.includes(group) ? [] : [group];
  const block = textHeight(lines.length, size) + caption.length * 28;
  const first = (height - block) / 2 + textHeight(1, size);
  const last = (height + block) / 2;
  return (
    textLines(lines, { x: left, y: first, size, fill: '#ffffff', weight: 700 }) +
    textLines(caption, { x: left, y: last, size: 17, fill: '#ffffff', weight: 500 })
  );
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
      { x: 32, y: 32, width: 64, height: 64 },
      'fill="none" stroke="#ffffff" stroke-width="2"',
    ),
    drawName(label, group),
  ].join('');
  return svgDocument({ width, height, title: label, body });
}
