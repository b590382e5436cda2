<?php

namespace Tillgate\WooCommerce\Shop;

/** Each kind of event has its own option, so that concurrent processes don't overwrite each other's data. */
final class Health
{
    private const PREFIX = 'tillgate_health_';
    /** Limits database writes during a flood of forged deliveries. */
    private const REJECTION_WRITE_INTERVAL_SECONDS = 5;
    private const MAX_FLAGGED_ORDERS = 50;
    private const COUNTED_STARTS = 10;

    public const CAUSE_SECRET = 'secret';
    public const CAUSE_UNVERIFIED = 'unproved';
    public const CAUSE_CLOCK = 'clock';
    public const CAUSE_HEADERS = 'headers';
    public const CAUSE_UNKNOWN_ORDER = 'unknown_order';
    public const CAUSE_UNREACHABLE = 'unreachable';
    public const CAUSE_CREDENTIALS = 'credentials';
    public const CAUSE_SHOP = 'shop';
    public const CAUSE_ATTENTION = 'attention';
    /** Needs attention, but there is no order to open: the text says what to do. */
    public const CAUSE_MISSING_ORDER = 'missing_order';

    public function recordWebhook(string $event, string $outcome): void
    {
        $this->write('last_webhook', ['at' => time(), 'event' => $event, 'outcome' => $outcome]);
    }

    public function recordRejectedWebhook(string $cause, string $text): void
    {
        $last = $this->read('last_refused');
        if ($last !== null && $last['cause'] === $cause && $last['at'] > time() - self::REJECTION_WRITE_INTERVAL_SECONDS) {
            return;
        }
        $this->write('last_refused', ['at' => time(), 'cause' => $cause, 'text' => Log::mask($text)]);
    }

    /** @param array{checked: int, failed: int, given_up: int} $counts */
    public function recordCheck(array $counts): void
    {
        $this->write('last_sweep', ['at' => time()] + $counts);
    }

    public function recordError(string $cause, string $text): void
    {
        $this->write('last_error', ['at' => time(), 'cause' => $cause, 'text' => Log::mask($text)]);
    }

    /** @param string|null $error null if Tillgate was reached and accepted the credentials */
    public function recordContact(?string $error): void
    {
        $this->write('contact', ['at' => time(), 'text' => $error === null ? null : Log::mask($error)]);
    }

    /**
     * Records whether a payment could be started. Successes are recorded only while one of the latest starts has failed.
     * @param string|null $error null if the payment was started
     */
    public function recordPaymentStart(?string $error): void
    {
        $before = $this->read('starts') ?? ['outcomes' => [], 'text' => ''];
        $outcomes = array_slice(array_merge($before['outcomes'], [$error === null]), -self::COUNTED_STARTS);
        if ($error !== null || in_array(false, $before['outcomes'], true)) {
            $this->write('starts', ['outcomes' => $outcomes, 'text' => $error === null ? $before['text'] : Log::mask($error)]);
        }
    }

    /** Flags an order for the merchant's attention. Only the newest 50 orders stay flagged. */
    public function flagOrder(int $orderId, string $cause, string $text): void
    {
        $entry = ['at' => time(), 'cause' => $cause, 'text' => Log::mask($text)];
        $this->write('last_error', ['text' => "Order $orderId: {$entry['text']}"] + $entry);
        $this->write('attention', array_slice([$orderId => $entry] + $this->flaggedOrders(), 0, self::MAX_FLAGGED_ORDERS, true));
    }

    /** @return array<int, array{at: int, cause: string, text: string}> keyed by order ID, newest first */
    public function flaggedOrders(): array
    {
        return $this->read('attention') ?? [];
    }

    public function unflagOrder(int $orderId): void
    {
        if (isset($this->flaggedOrders()[$orderId])) {
            $this->write('attention', array_diff_key($this->flaggedOrders(), [$orderId => true]));
        }
    }

    /** @param int|null $seconds by which Tillgate's clock is ahead; null if unknown */
    public function recordClockOffset(?int $seconds): void
    {
        if ($seconds !== null) {
            $this->write('clock', ['at' => time(), 'offset' => $seconds]);
        }
    }

    /** @return array<string, mixed>|null */
    public function read(string $name): ?array
    {
        $value = get_option(self::PREFIX . $name);
        return is_array($value) ? $value : null;
    }

    /** @param array<string, mixed> $value */
    private function write(string $name, array $value): void
    {
        update_option(self::PREFIX . $name, $value, false);
    }
}
