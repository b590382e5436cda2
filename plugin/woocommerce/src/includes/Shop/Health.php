<?php

namespace Tillgate\WooCommerce\Shop;

/**
 * What the health panel shows, remembered as it happens. Each fact is an option of its own, so that two processes that
 * report at once do not undo each other's.
 */
final class Health
{
    private const PREFIX = 'tillgate_health_';
    /** A flood of forged deliveries writes no more often than this. */
    private const MIN_SECONDS_BETWEEN_REFUSALS = 5;
    private const MAX_ATTENTION = 50;
    /** So many of the last payments are counted. */
    private const STARTS = 10;

    public const CAUSE_SECRET = 'secret';
    public const CAUSE_UNPROVED = 'unproved';
    public const CAUSE_CLOCK = 'clock';
    public const CAUSE_HEADERS = 'headers';
    public const CAUSE_UNKNOWN_ORDER = 'unknown_order';
    public const CAUSE_UNREACHABLE = 'unreachable';
    public const CAUSE_CREDENTIALS = 'credentials';
    public const CAUSE_SHOP = 'shop';
    public const CAUSE_ATTENTION = 'attention';
    /** For a person too, but there is no order to open: the text says what to do. */
    public const CAUSE_MISSING_ORDER = 'missing_order';

    public function webhookArrived(string $event, string $outcome): void
    {
        $this->write('last_webhook', ['at' => time(), 'event' => $event, 'outcome' => $outcome]);
    }

    public function webhookRefused(string $cause, string $text): void
    {
        $last = $this->read('last_refused');
        if ($last !== null && $last['cause'] === $cause && $last['at'] > time() - self::MIN_SECONDS_BETWEEN_REFUSALS) {
            return;
        }
        $this->write('last_refused', ['at' => time(), 'cause' => $cause, 'text' => Log::mask($text)]);
    }

    /** @param array{checked: int, failed: int, given_up: int} $counts */
    public function swept(array $counts): void
    {
        $this->write('last_sweep', ['at' => time()] + $counts);
    }

    public function failed(string $cause, string $text): void
    {
        $this->write('last_error', ['at' => time(), 'cause' => $cause, 'text' => Log::mask($text)]);
    }

    /** @param string|null $why Tillgate could not be called; null where it could */
    public function contacted(?string $why): void
    {
        $this->write('contact', ['at' => time(), 'text' => $why === null ? null : Log::mask($why)]);
    }

    /** @param string|null $why a payment could not be started; null where it was */
    public function started(?string $why): void
    {
        $before = $this->read('starts') ?? ['outcomes' => [], 'text' => ''];
        $outcomes = array_slice(array_merge($before['outcomes'], [$why === null]), -self::STARTS);
        if ($why !== null || in_array(false, $before['outcomes'], true)) {
            $this->write('starts', ['outcomes' => $outcomes, 'text' => $why === null ? $before['text'] : Log::mask($why)]);
        }
    }

    /** A person has to look at an order: shown until it is settled. */
    public function needsPerson(int $orderId, string $cause, string $text): void
    {
        $fact = ['at' => time(), 'cause' => $cause, 'text' => Log::mask($text)];
        $this->write('last_error', ['text' => "Order $orderId: {$fact['text']}"] + $fact);
        // The newest stay.
        $this->write('attention', array_slice([$orderId => $fact] + $this->attention(), 0, self::MAX_ATTENTION, true));
    }

    /** @return array<int, array{at: int, cause: string, text: string}> by the order's id, the newest first */
    public function attention(): array
    {
        return $this->read('attention') ?? [];
    }

    /** It is settled. */
    public function attended(int $orderId): void
    {
        if (isset($this->attention()[$orderId])) {
            $this->write('attention', array_diff_key($this->attention(), [$orderId => true]));
        }
    }

    /** @param int $seconds that Tillgate's clock is ahead */
    public function clockSeen(?int $seconds): void
    {
        if ($seconds !== null) {
            $this->write('clock', ['at' => time(), 'offset' => $seconds]);
        }
    }

    /** @return array<string, mixed>|null */
    public function read(string $fact): ?array
    {
        $value = get_option(self::PREFIX . $fact);
        return is_array($value) ? $value : null;
    }

    /** @param array<string, mixed> $value */
    private function write(string $fact, array $value): void
    {
        update_option(self::PREFIX . $fact, $value, false);
    }
}
