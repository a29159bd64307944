<?php

// Places the order of a cart, once, however often it runs: php place_order.php CART < order.json

declare(strict_types=1);

require_once __DIR__ . '/topup.php';

const LONGEST_WAIT = 60; // seconds

/** The order may exist, or may be placed by another attempt. Its key is kept. */
final class NotSettled extends RuntimeException
{
}

/** Writes a new file, which survives a crash once it is moved to its place. */
function write(string $folder, array $record): string
{
    $path = tempnam($folder, 'new');
    $file = fopen($path, 'wb');
    fwrite($file, json_encode($record, JSON_THROW_ON_ERROR));
    fsync($file);
    fclose($file);
    return $path;
}

/** Stores an order with a new key. Returns what is stored, and whether an earlier run has stored it. */
function remember(string $path, array $order): array
{
    $temporary = write(dirname($path), ['key' => bin2hex(random_bytes(16)), 'order' => $order, 'order_id' => null]);
    $earlier = !@link($temporary, $path);
    unlink($temporary);
    // The name of the file survives a power cut only once it is on the disk, too.
    $file = fopen($path, 'r+b');
    fsync($file);
    fclose($file);
    return [json_decode(file_get_contents($path), true, 512, JSON_THROW_ON_ERROR), $earlier];
}

/** The id of the order. `$mayExist`: an earlier attempt may have placed it. */
function settle(Topup $topup, string $path, array $record, bool $mayExist): string
{
    foreach ([1, 2, 4, null] as $wait) {
        try {
            $found = $mayExist ? $topup->findOrder($record['key']) : null;
        } catch (TopupError $error) {
            throw new NotSettled("The order may exist, but can't be looked up: {$error->getMessage()}");
        }
        try {
            return $found ?? $topup->createOrder($record['order'], $record['key']);
        } catch (TopupError $error) {
            if ($error->errorCode === 'IDEMPOTENCY_KEY_USED') {
                return $error->response->body['orderId'];
            }
            $stops = $error->nextStep() === 'stop';
            // The service sends only these two after it has looked for an order with the key.
            if ($stops && (!$mayExist || in_array($error->response->status, [404, 422], true))) {
                unlink($path);
                throw $error;
            }
            $mayExist = $mayExist || $error->nextStep() === 'look up';
            $wait = $wait === null ? null : $error->retryAfter() ?? $wait;
            if ($stops || $wait === null || $wait > LONGEST_WAIT) {
                throw new NotSettled("There is no order yet that is known: {$error->getMessage()}");
            }
            sleep($wait);
        }
    }
}

/** The id of the order, whose file is at `$path`. Throws TopupError if there is none and none will be. */
function place(Topup $topup, string $path, array $order): string
{
    is_dir(dirname($path)) || mkdir(dirname($path), 0700, true);
    [$record, $earlier] = remember($path, $order);
    if ($record['order_id'] === null) {
        $record['order_id'] = settle($topup, $path, $record, $earlier);
        rename(write(dirname($path), $record), $path);
    }
    return $record['order_id'];
}

try {
    $topup = new Topup(getenv('TOPUP_BASE_URL'), getenv('TOPUP_API_KEY'));
    $order = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
    echo place($topup, "orders/$argv[1].json", $order), "\n";
} catch (NotSettled $error) {
    fwrite(STDERR, "{$error->getMessage()}\nThe key is kept: run this again later.\n");
    exit(75);
} catch (TopupError $error) {
    fwrite(STDERR, "Not ordered: {$error->getMessage()}\n");
    exit(1);
}
