<?php

declare(strict_types=1);

require_once __DIR__ . '/topup.php';
require_once __DIR__ . '/verify_webhook.php';

/** A test key. Over a memory store, each key has a world of its own: orders, clock and scenario. */
function newApiKey(): string
{
    $digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    $text = 'tk_test_';
    for ($i = 0; $i < 30; $i++) {
        $text .= $digits[random_int(0, 61)];
    }
    $checksum = crc32($text);
    $end = '';
    for ($i = 0; $i < 6; $i++) {
        $end = $digits[$checksum % 62] . $end;
        $checksum = intdiv($checksum, 62);
    }
    return $text . $end;
}

function readJson(string $file): array
{
    return json_decode(file_get_contents(__DIR__ . "/$file"), true, 512, JSON_THROW_ON_ERROR);
}

function expect(mixed $expected, mixed $actual): void
{
    if ($expected !== $actual) {
        throw new RuntimeException(sprintf('expected %s, got %s', json_encode($expected), json_encode($actual)));
    }
}

/** The error that a function throws. */
function thrown(callable $function): Exception
{
    try {
        $function();
    } catch (Exception $error) {
        return $error;
    }
    throw new LogicException('expected an error');
}

function waitFor(Topup $topup, string $orderId, string $wanted, int $seconds = 30): void
{
    $end = time() + $seconds;
    while (($state = $topup->state($orderId)) !== $wanted && time() < $end) {
        usleep(500_000);
    }
    expect($wanted, $state);
}

$baseUrl = rtrim(getenv('TOPUP_BASE_URL') ?: 'http://127.0.0.1:4000/api', '/');
$order = readJson('order.json');

$tests = [
    'an order is paid and delivered' => function (Topup $topup, Topup $sandbox) use ($order): void {
        $orderId = $topup->createOrder($order, bin2hex(random_bytes(16)));
        expect('UNPAID / Pending', $topup->state($orderId));
        $sandbox->send('POST', "/orders/$orderId/pay", []);
        waitFor($topup, $orderId, 'PAID / Sukses');
    },
    'a retry places no second order' => function (Topup $topup) use ($order): void {
        $key = bin2hex(random_bytes(16));
        expect($topup->createOrder($order, $key), $topup->createOrder($order, $key));
    },
    'an order that nobody pays expires' => function (Topup $topup, Topup $sandbox) use ($order): void {
        $orderId = $topup->createOrder($order, bin2hex(random_bytes(16)));
        $sandbox->send('POST', '/advance', ['by' => '31m']);
        expect('EXPIRED / Batal', $topup->state($orderId));
    },
    'an invalid order is rejected' => function (Topup $topup) use ($order): void {
        $error = thrown(fn () => $topup->createOrder(['id' => ''] + $order, bin2hex(random_bytes(16))));
        expect([422, 'VALIDATION_ERROR', 'stop'], [$error->response->status, $error->errorCode, $error->nextStep()]);
        expect(true, isset($error->response->body['errors']['id']));
    },
    'a fee in per cent may have decimals' => function (Topup $topup): void {
        $methods = $topup->send('GET', '/order/mobile-legends')->body['paymentMethods'];
        expect(true, in_array(0.7, array_column($methods, 'fee_percent'), true));
    },
    'only a signed webhook is accepted' => function (): void {
        ['secret' => $secret, 'headers' => $headers, 'body' => $body] = readJson('webhook.json');
        $now = (int) $headers['webhook-timestamp'];
        expect('order.delivered', verifyWebhook($body, $headers, $secret, $now)['type']);
        $forged = thrown(fn () => verifyWebhook("$body ", $headers, $secret, $now));
        expect('INVALID_WEBHOOK_SIGNATURE', $forged->getMessage());
        $stale = thrown(fn () => verifyWebhook($body, $headers, $secret, $now + 301));
        expect('STALE_WEBHOOK', $stale->getMessage());
    },
];

foreach ($tests as $name => $test) {
    $apiKey = newApiKey();
    $test(new Topup($baseUrl, $apiKey), new Topup(preg_replace('~/api$~', '', $baseUrl) . '/sandbox', $apiKey));
    echo "ok: $name\n";
}
