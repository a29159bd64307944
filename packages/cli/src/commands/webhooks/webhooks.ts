import { defineGroup } from '../../define-command.ts';
import { createWebhook, rotateWebhook } from './create.ts';
import { deliveries, resend } from './deliveries.ts';
import { deleteWebhook, editWebhook } from './edit.ts';
import { listWebhooks, showWebhook } from './endpoints.ts';
import { testWebhook } from './test.ts';

export const webhooks = defineGroup(
  `A webhook is a URL that is told of events, each signed with its secret. These
commands work on the store; a running server sends, and picks up a change within
a second.`,
  [
    createWebhook,
    listWebhooks,
    showWebhook,
    editWebhook,
    rotateWebhook,
    deleteWebhook,
    testWebhook,
    deliveries,
    resend,
  ],
);
