import type { PaymentMethod, Product } from '@topup-kit/sdk';
import { Picture } from '../components/picture.tsx';
import { percent, rupiah } from '../texts/format.ts';
import type { Texts } from '../texts/id.ts';
import { useTexts } from '../texts/use-texts.ts';
import type { Change, Draft, Problems } from './draft.ts';
import { estimate } from './estimate.ts';
import { Fold } from './fold.tsx';
import { FormSection, Problem, problemId } from './form-parts.tsx';
import { hasUniqueCode } from './payment-kinds.ts';
import type { usePromo } from './promo-section.tsx';

interface Props {
  methods: readonly PaymentMethod[];
  product: Product | undefined;
  promo: ReturnType<typeof usePromo>['promo'];
  draft: Draft;
  change: Change;
  problems: Problems;
}

/** Returns the text for an amount outside the limits of a method; undefined if the amount is allowed. */
function limitProblemOf(
  method: PaymentMethod,
  total: number | undefined,
  { checkout }: Texts,
): string | undefined {
  if (total === undefined) return undefined;
  if (total < method.minimum_amount) return checkout.atLeast(rupiah(method.minimum_amount));
  return total > method.maximum_amount ? checkout.atMost(rupiah(method.maximum_amount)) : undefined;
}

function feeText(method: PaymentMethod, fee: number | undefined, { checkout }: Texts): string {
  if (hasUniqueCode(method.group)) return checkout.feeUnique;
  if (fee !== undefined && fee > 0)
    return method.fee_percent > 0 ? checkout.feeAbout(rupiah(fee)) : `+ ${rupiah(fee)}`;
  const parts = [
    method.fee > 0 ? rupiah(method.fee) : '',
    method.fee_percent > 0 ? percent(method.fee_percent) : '',
  ].filter(Boolean);
  return parts.length > 0 ? `+ ${parts.join(' + ')}` : checkout.feeFree;
}

function MethodCard({ method, ...props }: { method: PaymentMethod } & Omit<Props, 'methods' | 'problems'>) {
  const texts = useTexts();
  const { product, promo, draft, change } = props;
  const price = product && estimate(product, draft.quantity, method, promo);
  const limitProblem = limitProblemOf(method, price?.total, texts);
  return (
    <label className="method">
      <input
        type="radio"
        name="method"
        className="hidden"
        disabled={limitProblem !== undefined}
        checked={draft.methodId === method.id}
        onChange={() => change({ methodId: method.id })}
      />
      <span className="method-card">
        <Picture className="method-picture" src={method.images} />
        <span className="method-name">{method.name}</span>{' '}
        <span className="method-fee">{limitProblem ?? feeText(method, price?.fee, texts)}</span>
      </span>
    </label>
  );
}

export function MethodSection({ methods, problems, ...props }: Props) {
  const { checkout, groups } = useTexts();
  const available = Map.groupBy(
    methods.filter(({ status }) => status),
    ({ group }) => group,
  );
  return (
    <FormSection step={3} title={checkout.method}>
      <div
        role="radiogroup"
        id="field-method"
        tabIndex={-1}
        aria-labelledby="step-3"
        aria-describedby={problems.method && problemId('method')}
      >
        {[...available].map(([group, inGroup], index) => {
          const chosen = inGroup.find(({ id }) => id === props.draft.methodId);
          return (
            <Fold
              key={group}
              // Safe: a group without a text here is shown by its name.
              title={<h3>{groups[group as keyof typeof groups] ?? group}</h3>}
              chosen={chosen?.name ?? inGroup.map(({ name }) => name).join(', ')}
              isOpen={index === 0 || chosen !== undefined}
            >
              <div className="methods">
                {inGroup.map((method) => (
                  <MethodCard key={method.id} method={method} {...props} />
                ))}
              </div>
            </Fold>
          );
        })}
      </div>
      <Problem id="method">{problems.method}</Problem>
    </FormSection>
  );
}
