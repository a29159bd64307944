import { isTopupError, type ValidatePromoRequest, type ValidatePromoResponse } from '@topup-kit/sdk';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { client } from '../client.ts';
import { Icon } from '../components/icon.tsx';
import { rupiah } from '../texts/format.ts';
import { errorText, useTexts } from '../texts/use-texts.ts';
import { FormSection } from './form-parts.tsx';

type Promo = ValidatePromoResponse['data'];
type PromoSelection = Omit<ValidatePromoRequest, 'code' | 'whatsapp'>;

/** Validates a promo code for the selected product and method. It does so again whenever the selection changes. */
export function usePromo(selection: PromoSelection | undefined) {
  const [code, setCode] = useState<string>();
  const [result, setResult] = useState<{ promo?: Promo; error?: unknown }>({});
  const pending = useRef<AbortController>(undefined);
  const selectionKey = selection && JSON.stringify(selection);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `selectionKey` stands for the selection
  useEffect(() => {
    pending.current?.abort();
    setResult({});
    if (!code || !selection) return;
    const request = new AbortController();
    pending.current = request;
    client.promos.validate({ ...selection, code }, { signal: request.signal, maxRetries: 0 }).then(
      ({ data }) => setResult({ promo: data }),
      (error: unknown) => {
        if (!isTopupError(error, 'ABORTED')) setResult({ error });
      },
    );
    return () => request.abort();
  }, [code, selectionKey]);
  return {
    ...result,
    /** The code that is being validated or in use. */
    code,
    apply: (next: string) => setCode(next.trim().toUpperCase() || undefined),
    remove: () => setCode(undefined),
  };
}

/** Renders the promo code field; `isReady` when a product and a payment method are selected. */
export function PromoSection({ promo, isReady }: { promo: ReturnType<typeof usePromo>; isReady: boolean }) {
  const texts = useTexts();
  const { checkout } = texts;
  const [text, setText] = useState(promo.code ?? '');
  const apply = () => promo.apply(text);
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter') return;
    // Enter would submit the whole form.
    event.preventDefault();
    if (isReady) apply();
  }
  return (
    <FormSection step={4} title={checkout.promo} fold={{ chosen: promo.code }}>
      <div className="field">
        <label htmlFor="promo">{checkout.promoOptional}</label>
        <div className="promo">
          <input
            id="promo"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={255}
            value={text}
            readOnly={promo.promo !== undefined}
            aria-describedby="promo-status"
            aria-invalid={promo.error !== undefined || undefined}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={onKeyDown}
          />
          {promo.promo ? (
            <button
              type="button"
              className="button"
              onClick={() => {
                promo.remove();
                setText('');
              }}
            >
              {checkout.remove}
            </button>
          ) : (
            <button type="button" className="button" disabled={!isReady || !text.trim()} onClick={apply}>
              {checkout.apply}
            </button>
          )}
        </div>
        <div id="promo-status" role="status">
          {promo.promo && (
            <p className="success">
              <Icon name="ticket" />
              {checkout.promoApplied(promo.promo.promo.code, rupiah(promo.promo.pricing.discount))}
            </p>
          )}
          {promo.error !== undefined && <p className="problem">{errorText(promo.error, texts)}</p>}
          {!isReady && <p className="hint">{checkout.promoFirst}</p>}
        </div>
      </div>
    </FormSection>
  );
}
