<?php

declare(strict_types=1);

function send(string $method, string $path, ?array $body = null, ?string $key = null): array
{
    $headers = ['Accept: application/json', 'Content-Type: application/json', 'X-API-KEY: ' . getenv('TOPUP_API_KEY')];
    if ($key !== null) {
        $headers[] = "Idempotency-Key: $key";
    }
    $curl = curl_init(getenv('TOPUP_BASE_URL') . $path);
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => $headers,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
    ]);
    if ($body !== null) {
        curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body, JSON_THROW_ON_ERROR));
    }
    $text = curl_exec($curl);
    $status = (int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    return [$status, is_string($text) ? json_decode($text, true) : null];
}

/** The key of a cart. It is stored before the first request. */
function keyOf(string $cart): string
{
    $file = @fopen("$cart.key", 'x');
    if ($file !== false) {
        fwrite($file, bin2hex(random_bytes(16)));
        fsync($file);
        fclose($file);
    }
    return file_get_contents("$cart.key");
}

function place(string $cart): never
{
    $order = [
        'game' => 'mobile-legends', 'product_id' => 901, 'payment_method_id' => 12,
        'id' => '12345678', 'server' => '2012', 'whatsapp' => '081234567890',
    ];
    $key = keyOf($cart);
    foreach ([1, 2, 0] as $wait) {
        [$status, $body] = send('POST', '/order', $order, $key);
        if (isset($body['orderId'])) {
            echo $body['orderId'], "\n";
            exit(0);
        }
        if ($status >= 400 && $status < 500 && !in_array($status, [408, 409, 429], true)) {
            break;
        }
        sleep($wait);
    }
    fwrite(STDERR, 'No order: ' . ($body['message'] ?? "status $status") . "\n");
    exit(1);
}

function status(string $orderId): void
{
    [, $body] = send('GET', "/invoice/$orderId/payment-status");
    $state = $body['data'] ?? throw new RuntimeException('No status.');
    echo match (true) {
        $state['payment_status'] === 'PAID' && $state['buy_status'] === 'Sukses' => 'delivered',
        $state['payment_status'] === 'UNPAID' => 'waiting',
        $state['payment_status'] === 'PAID' && $state['buy_status'] !== 'Gagal' => 'waiting',
        default => 'failed',
    }, "\n";
}

$argv[1] === 'place' ? place($argv[2]) : status($argv[2]);
