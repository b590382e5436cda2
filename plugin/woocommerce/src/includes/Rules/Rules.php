<?php

namespace Tillgate\WooCommerce\Rules;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/** Evaluates transitions.json, which the connector for headless shops also uses. */
final class Rules
{
    public const CONDITIONS = [
        'event' => [
            'pos.order.paid',
            'pos.order.expired',
            'pos.order.cancelled',
            'pos.order.refunded',
            'refund.completed',
            'refund.failed',
            'store.changed',
            'store.refunded',
        ],
        'status' => [
            'pending',
            'on-hold',
            'failed',
            'cancelled',
            'processing',
            'completed',
            'refunded',
            'trash',
            'deleted',
            'other',
        ],
        'attempt' => ['current', 'older'],
        'method' => ['tillgate', 'other'],
        'payment' => ['none', 'this', 'other'],
        'amount' => ['same', 'different'],
        'cancelled_by' => ['connector', 'other'],
        'origin' => ['tillgate', 'store'],
        'delivery' => ['first', 'repeated'],
    ];

    public const ACTIONS = [
        'none',
        'complete_payment',
        'set_processing',
        'record_transaction',
        'hold',
        'refund_payment',
        'fail',
        'fail_over_pending',
        'cancel',
        'record_refunds',
        'apply_paid_first',
        'cancel_attempt',
        'link_refund',
        'refund_at_tillgate',
    ];

    private const PLACEHOLDERS = [
        'amount',
        'trx_id',
        'tillgate_order',
        'status',
        'store_total',
        'requested_amount',
        'paid_reference',
        'order_number',
        'difference',
        'refund',
        'reason',
        'result',
        'store_refund',
        'event',
        'times',
        'payment',
    ];

    /** @var array<int, array<string, mixed>> */
    private array $rules;

    /** @var array<string, array<string, string>> templates, by kind and name */
    private array $texts;

    /** @throws \UnexpectedValueException if the file is unreadable, a name is unknown or a text is missing */
    public function __construct(string $path)
    {
        $file = self::readFile($path);
        $this->rules = $file['rules'] ?? [];
        foreach (['notes', 'phrases', 'differences', 'reasons'] as $kind) {
            $this->texts[$kind] = $file[$kind] ?? [];
        }
        $this->check($file);
    }

    /** @return array<string, mixed> the decoded rules file @throws \UnexpectedValueException if it is unreadable or of another version */
    public static function readFile(string $path): array
    {
        // phpcs:ignore WordPress.WP.AlternativeFunctions.file_get_contents_file_get_contents -- A file of this plugin.
        $text = is_readable($path) ? file_get_contents($path) : false;
        $file = is_string($text) ? json_decode($text, true) : null;
        if (!is_array($file) || ($file['version'] ?? null) !== 1) {
            throw new \UnexpectedValueException("The rules could not be read: $path");
        }
        return $file;
    }

    /**
     * @param array<string, string> $context a value for each condition
     * @throws \UnexpectedValueException if no rule matches
     */
    public function decide(array $context): Decision
    {
        foreach ($this->rules as $rule) {
            if (!self::matches($rule['when'], $context)) {
                continue;
            }
            return new Decision(
                $rule['action'],
                $rule['cancel_current'] ?? false,
                isset($rule['note']) ? $this->note($rule['note']) : null,
                isset($rule['reason']) ? $this->reason($rule['reason']) : null,
                $rule['attention'] ?? false
            );
        }
        throw new \UnexpectedValueException('No rule matches ' . (string) wp_json_encode($context));
    }

    public function note(string $name): string
    {
        return $this->text('notes', $name);
    }

    /** Returns the template of a part of a note. */
    public function phrase(string $name): string
    {
        return $this->text('phrases', $name);
    }

    /** Returns the template that says how a payment and its order differ. */
    public function difference(string $name): string
    {
        return $this->text('differences', $name);
    }

    public function reason(string $name): string
    {
        return $this->text('reasons', $name);
    }

    /** @throws \OutOfBoundsException for an unknown name */
    private function text(string $kind, string $name): string
    {
        if (!isset($this->texts[$kind][$name])) {
            throw new \OutOfBoundsException("The rules have no text named \"$name\" in $kind.");
        }
        return $this->texts[$kind][$name];
    }

    /** Missing fields are replaced by "unknown". @param array<string, string> $fields */
    public static function fillPlaceholders(string $text, array $fields): string
    {
        $values = [];
        foreach (self::PLACEHOLDERS as $name) {
            $values['{' . $name . '}'] = $fields[$name] ?? __('unknown', 'tillgate-for-woocommerce');
        }
        return strtr($text, $values);
    }

    /** Maps custom statuses: payable ones to `pending`, paid ones to `processing`, others to `other`. @param string $status without `wc-` */
    public static function normalizeStatus(string $status, bool $isPayable, bool $isPaid): string
    {
        if (in_array($status, self::CONDITIONS['status'], true)) {
            return $status;
        }
        return $isPayable ? 'pending' : ($isPaid ? 'processing' : 'other');
    }

    /** @return \Generator<int, array<string, string>> all combinations of the conditions' values */
    public static function allContexts(): \Generator
    {
        $names = array_keys(self::CONDITIONS);
        $counts = array_map('count', array_values(self::CONDITIONS));
        for ($number = 0, $all = array_product($counts); $number < $all; $number += 1) {
            $remainder = $number;
            $context = [];
            foreach ($names as $index => $name) {
                $context[$name] = self::CONDITIONS[$name][$remainder % $counts[$index]];
                $remainder = intdiv($remainder, $counts[$index]);
            }
            yield $context;
        }
    }

    /**
     * @param array<string, string[]> $when
     * @param array<string, string>   $context
     */
    private static function matches(array $when, array $context): bool
    {
        foreach ($when as $name => $values) {
            if (!in_array($context[$name], $values, true)) {
                return false;
            }
        }
        return true;
    }

    /** @param array<string, mixed> $file */
    private function check(array $file): void
    {
        foreach ($file['conditions'] ?? [] as $name => $condition) {
            if (array_diff($condition['values'] ?? ['?'], self::CONDITIONS[$name] ?? []) !== []) {
                throw new \UnexpectedValueException("The condition $name has unknown values.");
            }
        }
        foreach ($this->rules as $index => $rule) {
            $this->checkRule($index + 1, $rule);
        }
        foreach ($this->texts as $texts) {
            foreach ($texts as $text) {
                preg_match_all('/\{(\w+)\}/', $text, $found);
                if (array_diff($found[1], self::PLACEHOLDERS) !== []) {
                    throw new \UnexpectedValueException("A text has an unknown placeholder: $text");
                }
            }
        }
    }

    /** @param array<string, mixed> $rule */
    private function checkRule(int $number, array $rule): void
    {
        $isCancel = ($rule['action'] ?? null) === 'cancel_attempt';
        $isInvalid = !in_array($rule['action'] ?? null, self::ACTIONS, true)
            || (isset($rule['note']) && !isset($this->texts['notes'][$rule['note']]))
            || (isset($rule['reason']) && !isset($this->texts['reasons'][$rule['reason']]))
            || $isCancel !== isset($rule['reason'])
            || array_diff_key($rule['when'] ?? ['?' => 1], self::CONDITIONS) !== []
            || array_diff(array_keys($rule), ['when', 'action', 'note', 'reason', 'cancel_current', 'attention']) !== [];
        if ($isInvalid) {
            throw new \UnexpectedValueException("Rule $number is invalid.");
        }
        foreach ($rule['when'] as $name => $values) {
            if (array_diff($values, self::CONDITIONS[$name]) !== []) {
                throw new \UnexpectedValueException("Rule $number has an unknown value for $name.");
            }
        }
    }
}
