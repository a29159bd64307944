import { isTopupError, type PromoValidationAnswer, type PromoValidationRequest } from '@topup-kit/sdk';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { client } from '../client.ts';
import { Icon } from '../components/icon.tsx';
import { rupiah } from '../texts/format.ts';
import { errorWords, useWords } from '../texts/use-texts.ts';
import { Section } from './form-parts.tsx';

type Promo = PromoValidationAnswer['data'];
type Choice = Omit<PromoValidationRequest, 'code' | 'whatsapp'>;

/** A promo code that is tried against what is chosen, and again whenever that changes. */
export function usePromo(choice: Choice | undefined) {
  const [code, setCode] = useState<string>();
  const [found, setFound] = useState<{ promo?: Promo; error?: unknown }>({});
  const leave = useRef<AbortController>(undefined);
  const chosen = choice && JSON.stringify(choice);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `chosen` stands for the choice
  useEffect(() => {
    leave.current?.abort();
    setFound({});
    if (!code || !choice) return;
    const now = new AbortController();
    leave.current = now;
    client.promos.validate({ ...choice, code }, { signal: now.signal, maxRetries: 0 }).then(
      ({ data }) => setFound({ promo: data }),
      (error: unknown) => {
        if (!isTopupError(error, 'ABORTED')) setFound({ error });
      },
    );
    return () => now.abort();
  }, [code, chosen]);
  return {
    ...found,
    /** The code under trial or in use. */
    code,
    apply: (next: string) => setCode(next.trim().toUpperCase() || undefined),
    remove: () => setCode(undefined),
  };
}

/** A promo code, tried at once; `isReady` once there is something to try it against. */
export function PromoSection({ promo, isReady }: { promo: ReturnType<typeof usePromo>; isReady: boolean }) {
  const words = useWords();
  const { checkout } = words;
  const [text, setText] = useState(promo.code ?? '');
  const apply = () => promo.apply(text);
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter') return;
    // Else the key would place the order.
    event.preventDefault();
    if (isReady) apply();
  }
  return (
    <Section step={4} title={checkout.promo}>
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
            aria-describedby="promo-said"
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
        <div id="promo-said" role="status">
          {promo.promo && (
            <p className="praise">
              <Icon name="ticket" />
              {checkout.promoOn(promo.promo.promo.code, rupiah(promo.promo.pricing.discount))}
            </p>
          )}
          {promo.error !== undefined && <p className="problem">{errorWords(promo.error, words)}</p>}
          {!isReady && <p className="hint">{checkout.promoFirst}</p>}
        </div>
      </div>
    </Section>
  );
}
