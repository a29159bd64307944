import { ArrowLeftRight, type IconNode, Landmark, QrCode, Store, Wallet } from 'lucide';
import { type PaymentGroup, type PaymentIcon, paymentKinds } from '../contract/index.ts';
import { paletteOf } from './scene.ts';
import { diagonal, drawIcon, drawLabel, element, gradient, svgDocument } from './svg.ts';
import { nameOf } from './text.ts';

const icons: Record<PaymentIcon, IconNode> = { QrCode, Landmark, Store, Wallet, ArrowLeftRight };

/** Draws a picture for a payment method without a picture: a coloured card, for any background, with its name and its group's icon. */
export function drawPaymentMethodImage(method: { code: string; name: string; group: PaymentGroup }): string {
  const size = { width: 320, height: 128 };
  const { from, to } = paletteOf(method.code);
  const title = nameOf(method.name, method.code);
  const icon = icons[paymentKinds[method.group].icon];
  return svgDocument({ ...size, title }, [
    gradient('tile', diagonal, [0, from], [1, to]),
    element('rect', { ...size, rx: 18, fill: 'url(#tile)' }),
    drawIcon(icon, [18, 34, 60], { fill: 'none', stroke: '#ffffff', 'stroke-width': 2 }),
    // The text is as large as possible, because shops show the picture 100 pixels wide.
    drawLabel(title, { x: 92, y: 0, width: 200, height: 128, sizes: [46, 42, 38, 34, 31, 26] }),
  ]);
}
