<?php

// Receives webhooks: TOPUP_WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:3000 webhook.php

declare(strict_types=1);

require_once __DIR__ . '/topup.php';
require_once __DIR__ . '/verify_webhook.php';

$headers = [];
foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
    $headers[$name] = $_SERVER['HTTP_' . strtoupper(strtr($name, '-', '_'))] ?? '';
}
try {
    $secrets = (string) getenv('TOPUP_WEBHOOK_SECRET');
    $event = verifyWebhook(file_get_contents('php://input'), $headers, $secrets, time());
} catch (WebhookError $error) {
    http_response_code(400);
    exit($error->getMessage());
}
// In a shop: a row with a unique id, written in the transaction that does the work.
$done = sys_get_temp_dir() . '/webhook-' . hash('sha256', $event['id']);
if (str_starts_with($event['type'], 'order.') && !is_file($done)) {
    // An older event can arrive after a newer one, so ask for the state.
    $orderId = $event['data']['order']['order_id'];
    $topup = new Topup((string) getenv('TOPUP_BASE_URL'), (string) getenv('TOPUP_API_KEY'));
    try {
        $state = $topup->state($orderId);
    } catch (TopupError $error) {
        http_response_code(503); // It comes again later.
        exit($error->getMessage());
    }
    file_put_contents('php://stdout', "$orderId is $state\n");
}
touch($done);
http_response_code(204);
