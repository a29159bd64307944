import {
  type EventType,
  eventTypes,
  isWebhookSecret,
  orderEventTypes,
  shopEventTypes,
} from '@topup-kit/core/contract';
import { keyState, type SecretOfEndpoint, sandboxAccount } from '@topup-kit/core/engine';
import type { StoreMode, WebhookEndpoint } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { CliError, exitCodes, reasonOf, usageError } from '../../errors/cli-error.ts';
import { dayMs, durationUpTo } from '../../input/arguments.ts';
import { eventsOption } from '../../input/event-types.ts';
import { operatorOption } from '../../input/operator.ts';
import { setting } from '../../io.ts';
import { readableTime } from '../../output/format.ts';
import { printable } from '../../output/text.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { noteActivity, type OperatorStore, storeOption, withOperatorStore } from '../../store/open.ts';
import { endpointArgument, endpointDocument, endpointMissing, findEndpoint } from './endpoints.ts';

const longest = 255;

export function checkDescription(text: string | undefined): void {
  if (text !== undefined && text.length > longest)
    throw usageError(`--description must have at most ${longest} characters.`);
}

/** Returns the events of a webhook. An account's webhook gets no events of the shop. `isAll` is set for `all`. */
export function typesFor(types: readonly EventType[], accountId: string | null): readonly EventType[] {
  if (accountId === null) return types;
  // For an account, `all` means all order events.
  if (types.length === eventTypes.length) return orderEventTypes;
  const ofShop = types.filter((type) => shopEventTypes.some((shopType) => shopType === type));
  if (ofShop.length > 0)
    throw usageError(
      `${ofShop.join(' and ')} ${ofShop.length === 1 ? 'is' : 'are'} of the shop, not of an account.`,
      'Without --account, the endpoint receives events of all accounts and of the shop.',
    );
  return types;
}

/** Returns the mode for the rules of URLs: the store's mode, or the mode of the future server. */
async function modeOf(context: CommandContext, { store }: OperatorStore): Promise<StoreMode> {
  const mode = await store.readMode();
  return mode ?? (setting(context.io, 'TOPUP_MODE') === 'sandbox' ? 'sandbox' : 'live');
}

export async function checkUrl(
  context: CommandContext,
  operating: OperatorStore,
  url: string,
): Promise<void> {
  const { checkEndpointUrl } = await import('@topup-kit/server/internal');
  const mode = await modeOf(context, operating);
  const problem = checkEndpointUrl(url, mode);
  if (problem === undefined) return;
  const isOnlyLive = mode === 'live' && checkEndpointUrl(url, 'sandbox') === undefined;
  throw usageError(
    problem,
    isOnlyLive ? 'Only a sandbox sends to http:// and to addresses that are not public.' : undefined,
  );
}

/** Loads the code for creating and rotating secrets only when it is needed. */
export async function endpointDeps({ io }: CommandContext, { store }: OperatorStore) {
  const [engine, { secureRandom }, { createSecretCipher }] = await Promise.all([
    import('@topup-kit/core/engine'),
    import('@topup-kit/core/platform'),
    import('@topup-kit/server/internal'),
  ]);
  const { seal, open } = createSecretCipher(io.environment);
  return { engine, deps: { store, random: secureRandom, realClock: Date.now, seal }, open };
}

/** Records a change of a webhook in the activity. */
export const noteWebhook = (
  { store, deps: { operator } }: OperatorStore,
  what: 'added' | 'changed' | 'deleted',
  subject: string,
): Promise<void> => noteActivity(store, { operator, action: `webhook.${what}`, subject });

type EndpointTools = Awaited<ReturnType<typeof endpointDeps>>;

/** Rejects a key other than that of the store's other secrets, because the server could not decrypt the new secret. */
function rejectOtherKey(
  { deps, open }: EndpointTools,
  endpoints: readonly WebhookEndpoint[],
  { commandLine }: OperatorStore,
): void {
  for (const { endpointId, secret } of endpoints) {
    // Without a key, nothing is encrypted.
    if (deps.seal(secret, endpointId) === secret) return;
    try {
      open(secret, endpointId);
    } catch (error) {
      throw new CliError(reasonOf(error), {
        code: 'OTHER_SECRET_KEY',
        exitCode: exitCodes.rejected,
        hint: `Nothing was changed. Set TOPUP_SECRET_KEY to the server's key. If that key is lost, first end the old secret:\n  ${commandLine(`webhooks rotate ${endpointId} --overlap 0s`)}`,
      });
    }
  }
}

/** Prints a secret. If printing fails, calls `undo` and reports that. */
async function printSecret(
  context: CommandContext,
  { endpoint, secret }: SecretOfEndpoint,
  pending: number,
  undo: () => Promise<{ message: string; hint: string }>,
): Promise<void> {
  try {
    await context.print({
      document: { secret, ...endpointDocument(endpoint, pending) },
      screen: () => `${secret}\n`,
    });
  } catch (cause) {
    const { message, hint } = await undo();
    throw new CliError(message, { code: 'SECRET_UNSEEN', exitCode: exitCodes.failure, hint, cause });
  }
}

const onlyOnce = 'The secret is shown only once: give it to the receiver, which verifies events with it.';

/** Warns if a secret is stored unencrypted while others are encrypted, because this environment probably lacks the key. */
async function remarkOnKey(
  context: CommandContext,
  { store }: OperatorStore,
  { endpoint, secret }: SecretOfEndpoint,
): Promise<void> {
  if (endpoint.secret !== secret) return;
  const all = await store.listWebhookEndpoints();
  if (all.some((endpoint) => !isWebhookSecret(endpoint.secret)))
    context.remark(
      'Warning: this secret is stored unencrypted, unlike others in this store, because TOPUP_SECRET_KEY is not set here.',
    );
}

/** Warns about an account without a key, because its name may be mistyped. */
async function warnOfAccount(
  context: CommandContext,
  { store }: OperatorStore,
  accountId: string,
): Promise<void> {
  const now = Date.now();
  const accounts = new Set(
    (await store.listKeys()).filter((key) => keyState(key, now) === 'active').map((key) => key.accountId),
  );
  if ((await store.readMode()) === 'sandbox') accounts.add(sandboxAccount);
  if (accounts.has(accountId)) return;
  const known = accounts.size === 0 ? 'There is none' : `Accounts with keys: ${[...accounts].join(', ')}`;
  context.remark(
    `Warning: account ${printable(accountId)} has no key, so it places no orders. ${printable(known)}.`,
  );
}

export const createWebhook = defineCommand({
  name: 'create',
  description: 'Create an endpoint, and print its secret once',
  help: `Without --account, the endpoint receives events of all accounts and of the shop:
alert.raised, alert.cleared, catalog.changed and balance.low.`,
  build: (command) =>
    command
      .requiredOption('--url <url>', 'URL that receives events: https://, in a sandbox also http://')
      .addOption(
        eventsOption(
          'event types, also separated by commas; all means every type',
          eventTypes,
        ).makeOptionMandatory(),
      )
      .option('--account <account>', "send only events of this account's orders")
      .option('--description <text>', 'your name for it', '')
      .option('--disabled', 'send nothing until it is enabled')
      .option(...operatorOption)
      .option(...storeOption),
  example:
    'webhooks create --url https://shop.example/hooks --events order.paid,order.delivered --account web-shop',
  async run(context, options) {
    const { url, description, account = null, disabled } = options;
    checkDescription(description);
    if (account?.trim() === '') throw usageError('--account must not be empty.');
    const types = typesFor(options.events ?? [], account);
    await withOperatorStore(context, options, async (operating) => {
      await checkUrl(context, operating, url);
      const tools = await endpointDeps(context, operating);
      const { engine, deps } = tools;
      rejectOtherKey(tools, await operating.store.listWebhookEndpoints(), operating);
      const created = await engine.createEndpoint(deps, {
        accountId: account,
        url,
        types,
        description,
        disabled: disabled ? 'operator' : null,
      });
      const { endpointId } = created.endpoint;
      await noteWebhook(operating, 'added', endpointId);
      await printSecret(context, created, 0, async () => {
        await operating.store.deleteWebhookEndpoint(endpointId);
        return {
          message: `The secret could not be printed, so ${endpointId} was deleted.`,
          hint: 'Create another key where the output can be written.',
        };
      });
      const { commandLine, path } = operating;
      context.remark(
        `Made ${endpointId} in ${path}.\n${onlyOnce}\nTo see whether events arrive:\n  ${commandLine(`webhooks ${disabled ? 'edit' : 'test'} ${endpointId}${disabled ? ' --enable' : ''}`)}`,
      );
      await remarkOnKey(context, operating, created);
      if (account !== null) await warnOfAccount(context, operating, account);
    });
  },
});

export const rotateWebhook = defineStoreCommand({
  name: 'rotate',
  description: 'Give an endpoint a new secret, and sign with both for a while',
  help: `Events are signed with the new secret and, until the overlap ends, with the
previous one. Use --overlap 0s for a secret that leaked.`,
  build: (command) =>
    command
      .argument(...endpointArgument)
      .option('--overlap <duration>', 'how long both sign, such as 7d; default: 24h', durationUpTo(31))
      .option(...operatorOption),
  example: 'webhooks rotate ep_k3v9x2ma',
  async run(operating, context, options, endpointId) {
    const { store, commandLine, path } = operating;
    const tools = await endpointDeps(context, operating);
    const { engine, deps } = tools;
    const { overlap = dayMs } = options;
    if (overlap > 0) rejectOtherKey(tools, [await findEndpoint(endpointId, operating)], operating);
    const rotated = await engine.rotateSecret(deps, endpointId, overlap);
    if ('conflict' in rotated) throw endpointMissing(endpointId, operating);
    await noteWebhook(operating, 'changed', endpointId);
    const until = rotated.endpoint.previousUntil;
    const pending = (await store.countPendingWebhooks()).get(endpointId) ?? 0;
    await printSecret(context, rotated, pending, async () => ({
      message: `The new secret for ${endpointId} could not be printed.`,
      hint: `Rotate it again where the output can be written:\n  ${commandLine(`webhooks rotate ${endpointId}`)}`,
    }));
    context.remark(
      `Made a new secret for ${endpointId} in ${path}.\n${until === null ? 'The previous one no longer signs.' : `The previous one signs as well until ${readableTime(until)}.`}\n${onlyOnce}`,
    );
    await remarkOnKey(context, operating, rotated);
  },
});
