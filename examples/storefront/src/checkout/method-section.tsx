import type { PaymentMethod, Product } from '@topup-kit/sdk';
import { Picture } from '../components/picture.tsx';
import { rupiah } from '../texts/format.ts';
import type { Words } from '../texts/id.ts';
import { useWords } from '../texts/use-texts.ts';
import type { Change, Draft, Problems } from './draft.ts';
import { estimate } from './estimate.ts';
import { Problem, problemId, Section } from './form-parts.tsx';
import type { usePromo } from './promo-section.tsx';

interface Props {
  methods: readonly PaymentMethod[];
  product: Product | undefined;
  promo: ReturnType<typeof usePromo>['promo'];
  draft: Draft;
  change: Change;
  problems: Problems;
}

/** Why an amount can't be paid so; undefined when it can. */
function outside(method: PaymentMethod, total: number | undefined, { checkout }: Words): string | undefined {
  if (total === undefined) return undefined;
  if (total < method.minimum_amount) return checkout.atLeast(rupiah(method.minimum_amount));
  return total > method.maximum_amount ? checkout.atMost(rupiah(method.maximum_amount)) : undefined;
}

function feeWords(method: PaymentMethod, fee: number | undefined, { checkout }: Words): string {
  if (method.group === 'Bank Transfer') return checkout.feeUnique;
  if (fee !== undefined && fee > 0)
    return method.fee_percent > 0 ? checkout.feeAbout(rupiah(fee)) : `+ ${rupiah(fee)}`;
  const parts = [
    method.fee > 0 ? rupiah(method.fee) : '',
    method.fee_percent > 0 ? `${method.fee_percent.toLocaleString('id')}%` : '',
  ].filter(Boolean);
  return parts.length > 0 ? `+ ${parts.join(' + ')}` : checkout.feeFree;
}

function MethodCard({ method, ...props }: { method: PaymentMethod } & Omit<Props, 'methods' | 'problems'>) {
  const words = useWords();
  const { product, promo, draft, change } = props;
  const price = product && estimate(product, draft.quantity, method, promo);
  const barrier = outside(method, price?.total, words);
  return (
    <label className="method">
      <input
        type="radio"
        name="method"
        className="hidden"
        disabled={barrier !== undefined}
        checked={draft.methodId === method.id}
        onChange={() => change({ methodId: method.id })}
      />
      <span className="method-card">
        <Picture className="method-picture" src={method.images} alt={method.name} />
        <span className="method-fee">{barrier ?? feeWords(method, price?.fee, words)}</span>
      </span>
    </label>
  );
}

export function MethodSection({ methods, problems, ...props }: Props) {
  const { checkout, groups } = useWords();
  const open = Map.groupBy(
    methods.filter(({ status }) => status),
    ({ group }) => group,
  );
  return (
    <Section step={3} title={checkout.method}>
      <div
        role="radiogroup"
        id="field-method"
        tabIndex={-1}
        aria-labelledby="step-3"
        aria-describedby={problems.method && problemId('method')}
      >
        {[...open].map(([group, ofGroup]) => (
          <div key={group}>
            {/* safe: a group that is not in the table is shown by its own name */}
            <h3>{groups[group as keyof typeof groups] ?? group}</h3>
            <div className="methods">
              {ofGroup.map((method) => (
                <MethodCard key={method.id} method={method} {...props} />
              ))}
            </div>
          </div>
        ))}
      </div>
      <Problem id="method">{problems.method}</Problem>
    </Section>
  );
}
