import type { Localised } from '@topup-kit/core/contract';
import { dryRun, type MarkOrderInput, markOrder } from '@topup-kit/core/engine';
import { type ActionInput, type Field, InputError } from '../actions.ts';
import type { ConsoleDependencies } from '../view.ts';
import { type OrderAction, operatorOf, readNumber } from './order-action.ts';

const problems = {
  badUnit: {
    id: 'Nomor barang harus bilangan bulat dari 1.',
    en: 'The number of an item is a whole number from 1.',
  },
  proofUnused: {
    id: 'Nomor seri hanya untuk barang yang terkirim. Pilih "terkirim", atau kosongkan nomor seri.',
    en: 'A serial number is only for delivered items. Choose "delivered", or clear the serial number.',
  },
} satisfies Record<string, Localised>;

function readMark({ fields, note }: ActionInput): MarkOrderInput {
  const outcome = fields.outcome === 'delivered' ? 'delivered' : 'failed';
  const serialNumber = fields.serialNumber || undefined;
  if (outcome === 'failed' && serialNumber !== undefined) throw new InputError(problems.proofUnused);
  return { outcome, note, serialNumber, unit: readNumber(fields.unit, problems.badUnit) };
}

const revokedWords = (units: string): Localised => ({
  id: `Barang yang sudah terkirim ini akan dianggap TIDAK terkirim, dan dibeli lagi jika dikirim ulang: barang ${units}.`,
  en: `These delivered items will count as NOT delivered, and a retry buys them again: item ${units}.`,
});

export const markOf = (deps: ConsoleDependencies): OrderAction => ({
  name: 'mark',
  title: { id: 'Tandai', en: 'Mark' },
  noteLabel: { id: 'Dari mana Anda tahu (masuk riwayat)', en: 'How you know (for the history)' },
  does: 'mark',
  async fields(view, subjects) {
    const [only, ...others] = subjects;
    const subject = only && others.length === 0 ? only : null;
    const failed = { outcome: 'failed', note: '' } as const;
    const revoked = subject
      ? await markOrder(dryRun(operatorOf(deps, view)), subject.order.orderId, failed).then(
          (marked) => marked.revoked.map(({ unit }) => unit).join(', '),
          () => '',
        )
      : '';
    const hint = revoked === '' ? undefined : revokedWords(revoked);
    const of = subject ? '' : `${subjects.length} `;
    const fields: Field[] = [
      {
        name: 'outcome',
        required: true,
        label: { id: 'Yang Anda ketahui', en: 'What you found out' },
        choices: [
          {
            value: 'delivered',
            label: { id: 'terkirim', en: 'delivered' },
            verb: { id: `Tandai ${of}terkirim`, en: `Mark ${of}as delivered` },
          },
          {
            value: 'failed',
            label: { id: 'tidak terkirim', en: 'not delivered' },
            hint,
            verb: { id: `Tandai ${of}tidak terkirim`, en: `Mark ${of}as not delivered` },
          },
        ],
      },
    ];
    if (subjects.length > 1) return fields;
    const unit = {
      name: 'unit',
      label: { id: 'Nomor barang', en: 'Number of the item' },
      hint: {
        id: 'Kosongkan untuk semua barang yang belum pasti atau bertentangan.',
        en: 'Leave it empty for all open or contradicted items.',
      },
    };
    return [
      ...fields,
      ...(subject?.units.length === 1 ? [] : [unit]),
      { name: 'serialNumber', label: { id: 'Nomor seri', en: 'Serial number' }, of: 'delivered' },
    ];
  },
  perform: (operator, id, input) => markOrder(operator, id, readMark(input)),
});
