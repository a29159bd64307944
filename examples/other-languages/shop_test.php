<?php

declare(strict_types=1);

$baseUrl = rtrim(getenv('TOPUP_BASE_URL') ?: 'http://127.0.0.1:4000/api', '/');
$sandboxUrl = preg_replace('~/api$~', '', $baseUrl) . '/sandbox';

/** A test key. Over a memory store, each key has a world of its own: orders, clock and scenario. */
function newKey(): string
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

final class Topup
{
    public function __construct(private string $baseUrl, private string $sandboxUrl, private string $key)
    {
    }

    /** @return array{int, array<string, mixed>} the status and the body */
    public function send(string $method, string $url, ?array $body = null, array $headers = []): array
    {
        $context = stream_context_create(['http' => [
            'method' => $method,
            'ignore_errors' => true, // a body also for 4xx and 5xx
            'timeout' => 30,
            'header' => [
                'Accept: application/json',
                'Content-Type: application/json',
                "X-API-KEY: $this->key",
                ...$headers,
            ],
            'content' => $body === null ? '' : json_encode($body ?: new stdClass(), JSON_THROW_ON_ERROR),
        ]]);
        $text = file_get_contents($url, false, $context);
        if ($text === false) {
            throw new RuntimeException("No response from $url");
        }
        preg_match('~^HTTP/\S+ (\d{3})~', $http_response_header[0], $match);
        return [(int) $match[1], json_decode($text, true, 512, JSON_THROW_ON_ERROR)];
    }

    public function createOrder(array $order, string $idempotencyKey): array
    {
        // The same key in every attempt: a service that honours it places one order.
        return $this->send('POST', "$this->baseUrl/order", $order, ["Idempotency-Key: $idempotencyKey"]);
    }

    public function state(string $orderId): string
    {
        [, $body] = $this->send('GET', "$this->baseUrl/invoice/$orderId/payment-status");
        return $body['data']['payment_status'] . ' / ' . $body['data']['buy_status'];
    }

    public function waitFor(string $orderId, string $wanted, int $seconds = 30): string
    {
        $end = time() + $seconds;
        while (($state = $this->state($orderId)) !== $wanted && time() < $end) {
            usleep(500_000);
        }
        return $state;
    }

    public function control(string $path, array $body = []): void
    {
        [$status, $response] = $this->send('POST', $this->sandboxUrl . $path, $body);
        expect(200, $status, json_encode($response));
    }
}

function expect(mixed $expected, mixed $actual, string $about = ''): void
{
    if ($expected !== $actual) {
        throw new RuntimeException(sprintf('expected %s, got %s %s', json_encode($expected), json_encode($actual), $about));
    }
}

$order = [
    'id' => '12345678',
    'server' => '2012',
    'game' => 'mobile-legends',
    'product_id' => 901,
    'payment_method_id' => 12,
    'whatsapp' => '081234567890',
];

$tests = [
    'an order is paid and delivered' => function (Topup $topup) use ($order): void {
        [$status, $created] = $topup->createOrder($order, bin2hex(random_bytes(16)));
        expect(201, $status, json_encode($created));
        expect('UNPAID / Pending', $topup->state($created['orderId']));
        $topup->control("/orders/{$created['orderId']}/pay");
        expect('PAID / Sukses', $topup->waitFor($created['orderId'], 'PAID / Sukses'));
    },
    'a retry places no second order' => function (Topup $topup) use ($order): void {
        $key = bin2hex(random_bytes(16));
        expect($topup->createOrder($order, $key), $topup->createOrder($order, $key));
    },
    'an order that nobody pays expires' => function (Topup $topup) use ($order): void {
        [, $created] = $topup->createOrder($order, bin2hex(random_bytes(16)));
        $topup->control('/advance', ['by' => '31m']);
        expect('EXPIRED / Batal', $topup->state($created['orderId']));
    },
    'an invalid order is rejected' => function (Topup $topup) use ($order): void {
        [$status, $body] = $topup->createOrder(['id' => ''] + $order, bin2hex(random_bytes(16)));
        expect(422, $status);
        expect(true, isset($body['errors']['id']));
    },
];

foreach ($tests as $name => $test) {
    $test(new Topup($baseUrl, $sandboxUrl, newKey()));
    echo "ok: $name\n";
}
