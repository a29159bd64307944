<?php

declare(strict_types=1);

/** A response. Its status is 0 if there was none, and its body is empty if that was empty, cut off, or a page. */
final class Response
{
    /** @param array<string, string> $headers with names in lower case */
    public function __construct(
        public readonly int $status = 0,
        public readonly array $headers = [],
        public readonly array $body = [],
    ) {
    }
}

/** What came instead of a usable response. */
final class TopupError extends RuntimeException
{
    /** The error code, or empty. */
    public readonly string $errorCode;

    public function __construct(public readonly Response $response, string $message)
    {
        $this->errorCode = $response->headers['x-error-code'] ?? '';
        parent::__construct(implode(' ', array_filter([$response->status, $this->errorCode, $message])));
    }

    /** What to do with an order that got this error: "again", "stop" or "look up", as in the table of the guide. */
    public function nextStep(): string
    {
        $status = $this->response->status;
        $body = $this->response->body;
        $honoured = isset($this->response->headers['idempotency-key']);
        return match (true) {
            in_array($status, [429, 503], true) => 'again',
            $honoured && in_array($this->errorCode, ['PAYMENT_FAILED', 'SAVE_FAILED'], true) => 'again',
            $this->errorCode === 'IDEMPOTENCY_IN_FLIGHT' => 'look up',
            in_array($status, [0, 302, 303, 408], true) || $status >= 500 => 'look up',
            $status >= 300 => 'stop',
            default => ($body['success'] ?? null) === false && !isset($body['orderId']) ? 'stop' : 'look up',
        };
    }

    /** The seconds that the service asks to wait, or null. */
    public function retryAfter(): ?int
    {
        $value = $this->response->headers['retry-after'] ?? '';
        if (preg_match('/^\d+$/D', $value)) {
            return (int) $value;
        }
        $time = strtotime($value);
        return $time === false ? null : max(0, $time - time());
    }
}

/** A client of a top-up service. It needs no extension of PHP. */
final class Topup
{
    private string $baseUrl;

    public function __construct(string $baseUrl, private string $apiKey)
    {
        $this->baseUrl = rtrim($baseUrl, '/');
    }

    /** The response if it is a success in JSON. Throws TopupError otherwise. */
    public function send(string $method, string $path, ?array $body = null, ?string $key = null): Response
    {
        $headers = ['Accept: application/json', 'Content-Type: application/json', "X-API-KEY: $this->apiKey"];
        if ($key !== null) {
            $headers[] = "Idempotency-Key: $key";
        }
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => $headers,
            'content' => $body === null ? '' : json_encode($body ?: new stdClass(), JSON_THROW_ON_ERROR),
            'timeout' => 30,
            'ignore_errors' => true, // a body also for 4xx and 5xx
            'follow_location' => 0, // a redirect would send the key to another host
        ]]);
        $stream = @fopen($this->baseUrl . $path, 'rb', false, $context);
        if ($stream === false) {
            throw new TopupError(new Response(), "No response from $this->baseUrl.");
        }
        // This also works before PHP 8.4, and without the variable that PHP 8.5 deprecates.
        $lines = stream_get_meta_data($stream)['wrapper_data'];
        return self::read($lines, (string) stream_get_contents($stream));
    }

    private static function read(array $lines, string $text): Response
    {
        preg_match('~^HTTP/\S+ (\d{3})~', array_shift($lines), $match);
        $headers = [];
        foreach ($lines as $line) {
            [$name, $value] = explode(':', $line, 2) + ['', ''];
            $headers[strtolower($name)] = trim($value);
        }
        $body = str_starts_with(ltrim($text), '{') ? json_decode($text, true) : null;
        $response = new Response((int) $match[1], $headers, $body ?? []);
        $status = $response->status;
        if ($status >= 200 && $status < 300 && $body !== null && ($body['success'] ?? null) !== false) {
            return $response;
        }
        throw new TopupError($response, $status >= 300 && $status < 400
            ? 'The service redirects to ' . ($headers['location'] ?? '') . '. Set TOPUP_BASE_URL to its new address.'
            : $response->body['message'] ?? 'The body is not JSON, or was cut off.');
    }

    /** The id of the order. The same key in every attempt: a service that honours it places one order. */
    public function createOrder(array $order, string $key): string
    {
        $response = $this->send('POST', '/order', $order, $key);
        return $response->body['orderId'] ?? throw new TopupError($response, 'The response has no orderId.');
    }

    /** The id of the order with this key, or null. Throws TopupError if the service can't tell. */
    public function findOrder(string $key): ?string
    {
        $response = $this->send('GET', '/orders?' . http_build_query(['idempotency_key' => $key]));
        if (($response->headers['idempotency-supported'] ?? '') !== 'true') {
            throw new TopupError($response, 'The service does not say that it honours keys.');
        }
        return $response->body['data'][0]['order_id'] ?? null;
    }

    /** The state of an order, such as "PAID / Sukses". */
    public function state(string $orderId): string
    {
        $response = $this->send('GET', "/invoice/$orderId/payment-status");
        $data = $response->body['data'] ?? throw new TopupError($response, 'The response has no state.');
        return "{$data['payment_status']} / {$data['buy_status']}";
    }
}
