import { Icon, type IconName } from '../parts/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { type Face, faceOf, type States, tones } from './face.ts';

const icons: Record<Face, IconName> = {
  waiting: 'clock',
  processing: 'spin',
  delivered: 'check',
  undelivered: 'alert',
  failed: 'cross',
  expired: 'clock',
  cancelled: 'cross',
  refunded: 'undo',
  unknown: 'spin',
};

/** How the order stands, told again whenever that changes. */
export function StatusBanner({ state }: { state: States }) {
  const { faces, invoice } = useWords();
  const face = faceOf(state);
  return (
    <div className={`status tone-${tones[face]}`} role="status">
      <span className="status-icon">
        <Icon name={icons[face]} />
      </span>
      <div>
        <strong>{faces[face].title}</strong>
        <p>{faces[face].says}</p>
        {face === 'unknown' && <p>{invoice.told(`${state.payment_status} / ${state.buy_status}`)}</p>}
      </div>
    </div>
  );
}
