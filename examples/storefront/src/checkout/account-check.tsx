import type { AccountCheck, GameDetail } from '@topup-kit/sdk';
import { useEffect, useState } from 'react';
import { client } from '../client.ts';
import { Icon } from '../components/icon.tsx';
import { useTexts } from '../texts/use-texts.ts';
import type { Draft } from './draft.ts';

/** Pause in typing after which the account is looked up, in milliseconds. */
const pauseMs = 600;

/** Games that the service can't look up, or all games if it has no such route. They are not requested again. */
const unsupported = new Set<string>();

/** Looks up the account when its fields are filled in. A failed look-up shows nothing, because an order doesn't need it. */
function useAccountCheck({ slug, fields }: GameDetail, { id, server }: Draft): AccountCheck | undefined {
  const [known, setKnown] = useState<AccountCheck>();
  const isComplete = fields.every(
    ({ name, required }) => !required || (name === 'server' ? server : id).trim(),
  );
  const request = { game: slug, id: id.trim(), ...(server.trim() && { server: server.trim() }) };
  const key = isComplete ? JSON.stringify(request) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the request
  useEffect(() => {
    setKnown(undefined);
    if (key === undefined || unsupported.has(slug)) return;
    const unneeded = new AbortController();
    const timer = setTimeout(async () => {
      const options = { signal: unneeded.signal, maxRetries: 0 };
      const { ok, data: response, error } = await client.accounts.check(request, options).safe();
      if (ok && response.data.status !== 'unsupported') setKnown(response.data);
      else if (ok || (error.name === 'TopupHttpError' && error.status === 404)) unsupported.add(slug);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      unneeded.abort();
    };
  }, [key]);
  return known;
}

/** Shows the account's owner below the fields. */
export function AccountFound({ game, draft }: { game: GameDetail; draft: Draft }) {
  const { checkout } = useTexts();
  const known = useAccountCheck(game, draft);
  return (
    <div role="status">
      {known?.status === 'found' && known.nickname !== null && (
        <p className="success">
          <Icon name="check" />
          {checkout.accountFound(known.nickname)}
        </p>
      )}
      {known?.status === 'not_found' && <p className="problem">{checkout.accountNotFound}</p>}
    </div>
  );
}
