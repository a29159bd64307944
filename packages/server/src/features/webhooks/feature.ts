import { noteAlerts, sendWebhooks, type WebhookOutcome } from '@topup-kit/core/engine';
import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import { createSecretBox } from '../../config/secret-cipher.ts';
import { redactText } from '../../observability/redact.ts';
import type { Feature } from '../../service/feature.ts';
import { sha256Hex } from '../../service/sha256.ts';
import { createWebhookTransport } from './send-webhook.ts';

/** Logs one line for each attempt to send an event, and one line when an endpoint is disabled. */
function logAttempt(logger: Logger, outcome: WebhookOutcome): void {
  const { endpointId, eventId, type, orderId, state, status, why, ms, attempts, nextAt, disabled } = outcome;
  const known = { endpoint: endpointId, event: eventId, type, ...(orderId !== null && { order: orderId }) };
  logger[state === 'delivered' ? 'info' : 'warn'](
    {
      ...known,
      status,
      ms,
      attempts,
      ...(why !== null && { reason: redactText(why) }),
      ...(nextAt !== null && { nextAt: new Date(nextAt).toISOString() }),
    },
    state === 'delivered' ? 'an event arrived' : 'an event did not arrive',
  );
  if (disabled !== null)
    logger.warn(
      { endpoint: endpointId, because: disabled, runbook: 'docs/runbook.md#failing-webhooks' },
      'a webhook was disabled',
    );
}

/** Outcomes of attempts as the metric names them. */
const outcomes = { delivered: 'delivered', pending: 'retried', failed: 'failed' } as const;

/** Sends events and alerts to the endpoints that operators added. */
export const webhooks: Feature = async (host) => {
  const { config, store: first, logger, metrics, realClock, isBusy, closing, resources } = host;
  const transport = createWebhookTransport({ mode: config.mode });
  resources.defer(transport.close);
  const attempts = new Counter({
    name: 'topup_webhook_attempts_total',
    help: 'Attempts to send an event, by endpoint and outcome.',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  metrics.gauge(
    {
      name: 'topup_webhooks_pending',
      help: 'Events that wait to be sent, by endpoint.',
      labels: ['endpoint'],
    },
    async (set) => {
      for (const [endpoint, count] of await first.countPendingWebhooks()) set(count, { endpoint });
    },
  );
  const sender = {
    send: transport.send,
    secrets: createSecretBox(config),
    isBusy,
    report(outcome: WebhookOutcome) {
      attempts.inc({ outcome: outcomes[outcome.state] });
      logAttempt(logger, outcome);
    },
    stop: closing,
  };
  return {
    inWorld: ({ store }) => ({ work: sendWebhooks({ ...sender, store }) }),
    noteAlerts: (alerts) => noteAlerts({ store: first, hash: sha256Hex, realClock }, alerts),
  };
};
