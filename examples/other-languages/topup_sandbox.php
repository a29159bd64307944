<?php

declare(strict_types=1);

/** A sandbox for a run of PHPUnit. It stops with PHP. */
final class TopupSandbox
{
    /** Kept: the server stops when the pipe to it is closed. */
    private static array $pipes = [];
    private static mixed $server;

    public static function start(): void
    {
        $command = ['topup', 'serve', '--sandbox', '--store', 'memory:', '--port', '0', '--print-json'];
        self::$server = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], self::$pipes);
        $started = json_decode((string) fgets(self::$pipes[1]), true)
            ?? throw new RuntimeException('No sandbox: ' . stream_get_contents(self::$pipes[1]));
        putenv('TOPUP_BASE_URL=' . $started['base_url']);
        putenv('TOPUP_API_KEY=' . $started['api_key']);
    }
}

TopupSandbox::start();
