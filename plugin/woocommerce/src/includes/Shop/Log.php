<?php

namespace Tillgate\WooCommerce\Shop;

/** Writes to WooCommerce's log (Status → Logs, source `tillgate`), with secrets masked. */
final class Log
{
    private const SOURCE = 'tillgate';

    public function info(string $text): void
    {
        $this->write('info', $text);
    }

    public function warning(string $text): void
    {
        $this->write('warning', $text);
    }

    public function error(string $text): void
    {
        $this->write('error', $text);
    }

    private function write(string $level, string $text): void
    {
        wc_get_logger()->log($level, self::mask($text), ['source' => self::SOURCE]);
    }

    public static function mask(string $text): string
    {
        $masked = str_replace(Credentials::secrets(), '[masked]', $text);
        return preg_replace('/\b(Basic|Bearer) [A-Za-z0-9+\/=._-]{8,}/', '$1 [masked]', $masked) ?? '[unreadable]';
    }
}
