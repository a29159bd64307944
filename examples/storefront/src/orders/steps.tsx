import { Icon } from '../parts/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { type Face, stepsTaken } from './face.ts';

const names = ['placed', 'paid', 'processing', 'delivered'] as const;
const broken: readonly Face[] = ['undelivered', 'failed', 'expired', 'cancelled', 'refunded'];

/** The way of an order, as far as it went. */
export function Steps({ face }: { face: Face }) {
  const { invoice } = useWords();
  const taken = stepsTaken[face];
  return (
    <ol className={broken.includes(face) ? 'way way-broken' : 'way'} aria-label={invoice.steps}>
      {names.map((name, place) => (
        <li
          key={name}
          className={place < taken ? 'way-taken' : undefined}
          aria-current={place === taken - 1 ? 'step' : undefined}
        >
          <span className="way-mark">{place < taken && <Icon name="check" />}</span>
          {invoice.step[name]}
        </li>
      ))}
    </ol>
  );
}
