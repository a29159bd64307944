<?php

declare(strict_types=1);

/** The request is not a webhook of the service. The message is the error code. */
final class WebhookError extends RuntimeException
{
}

/**
 * Returns the event of a webhook.
 *
 * @param string $body the bytes as they arrived
 * @param array<string, string> $headers with names in lower case
 * @param string $secrets one secret, or several separated by spaces while a secret is rotated
 * @param int $now unix seconds
 * @throws WebhookError
 */
function verifyWebhook(string $body, array $headers, string $secrets, int $now): array
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    $signatures = $headers['webhook-signature'] ?? '';
    if ($id === '' || $timestamp === '' || $signatures === '') {
        throw new WebhookError('MISSING_WEBHOOK_HEADER');
    }
    if (!preg_match('/^\d+$/D', $timestamp) || abs($now - (int) $timestamp) > 300) {
        throw new WebhookError('STALE_WEBHOOK');
    }
    foreach (explode(' ', trim($secrets)) as $secret) {
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
        if ($key === false || strlen($key) < 24) {
            throw new LogicException('TOPUP_WEBHOOK_SECRET must be whsec_ and the base64 of 24 to 64 bytes.');
        }
        $own = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        foreach (explode(' ', $signatures) as $given) {
            // In constant time: the time of a comparison must not tell how much of a signature is right.
            if (hash_equals($own, $given)) {
                return ['id' => $id] + json_decode($body, true, 512, JSON_THROW_ON_ERROR);
            }
        }
    }
    throw new WebhookError('INVALID_WEBHOOK_SIGNATURE');
}
