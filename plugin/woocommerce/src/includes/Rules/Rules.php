<?php

namespace Tillgate\WooCommerce\Rules;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/**
 * The decision "what happened × where the order stands → what to do and what to note", read from transitions.json, the
 * file that the connector for headless shops reads too. This class finds the rule that holds; what it says is data.
 */
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
        'asked_by' => ['connector', 'other'],
        'origin' => ['tillgate', 'store'],
        'told' => ['first', 'again'],
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
        'asked',
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
    private $rules;

    /** @var array<string, string> */
    private $notes;

    /** @var array<string, string> */
    private $phrases;

    /** @var array<string, string> */
    private $differences;

    /** @var array<string, string> */
    private $reasons;

    /**
     * @param array<string, mixed> $file the decoded rules
     * @throws \UnexpectedValueException where a name is unknown, a text is missing or a combination has no rule
     */
    private function __construct(array $file)
    {
        $this->rules = $file['rules'] ?? [];
        $this->notes = $file['notes'] ?? [];
        $this->phrases = $file['phrases'] ?? [];
        $this->differences = $file['differences'] ?? [];
        $this->reasons = $file['reasons'] ?? [];
        $this->check($file);
    }

    /** @throws \UnexpectedValueException where the file cannot be read or is refused */
    public static function load(string $path): self
    {
        // phpcs:ignore WordPress.WP.AlternativeFunctions.file_get_contents_file_get_contents -- A file of this plugin.
        $text = is_readable($path) ? file_get_contents($path) : false;
        $file = is_string($text) ? json_decode($text, true) : null;
        if (!is_array($file) || ($file['version'] ?? null) !== 1) {
            throw new \UnexpectedValueException('The rules of the payment plugin cannot be read.');
        }
        return new self($file);
    }

    /**
     * @param array<string, string> $situation a value for each of CONDITIONS
     * @return Decision of the first rule whose every condition holds
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
                isset($rule['note']) ? $this->notes[$rule['note']] : null,
                isset($rule['reason']) ? $this->reasons[$rule['reason']] : null,
                $rule['attention'] ?? false
            );
        }
        throw new \UnexpectedValueException('No rule holds for ' . (string) wp_json_encode($context));
    }

    /** @throws \OutOfBoundsException for a note the file does not have */
    public function note(string $name): string
    {
        if (!isset($this->notes[$name])) {
            throw new \OutOfBoundsException("The rules have no note $name.");
        }
        return $this->notes[$name];
    }

    /**
     * A part of a note, placeholders still in it.
     *
     * @throws \OutOfBoundsException for a phrase the file does not have
     */
    public function phrase(string $name): string
    {
        if (!isset($this->phrases[$name])) {
            throw new \OutOfBoundsException("The rules have no phrase $name.");
        }
        return $this->phrases[$name];
    }

    /**
     * In what a payment and its order differ, placeholders still in it.
     *
     * @throws \OutOfBoundsException for a difference the file does not have
     */
    public function difference(string $name): string
    {
        if (!isset($this->differences[$name])) {
            throw new \OutOfBoundsException("The rules have no difference $name.");
        }
        return $this->differences[$name];
    }

    /** @throws \OutOfBoundsException for a reason the file does not have */
    public function reason(string $name): string
    {
        if (!isset($this->reasons[$name])) {
            throw new \OutOfBoundsException("The rules have no reason $name.");
        }
        return $this->reasons[$name];
    }

    /**
     * Puts the fields into a note or a reason; what is not known is called so.
     *
     * @param array<string, string> $fields
     */
    public static function fillPlaceholders(string $text, array $fields): string
    {
        $values = [];
        foreach (self::PLACEHOLDERS as $name) {
            $values['{' . $name . '}'] = $fields[$name] ?? 'unknown';
        }
        return strtr($text, $values);
    }

    /**
     * How the rules see an order: a status of another plugin in which the order can be paid is pending, one that counts as paid is processing.
     *
     * @param string $status any status of an order, without `wc-`
     */
    public static function normalizeStatus(string $status, bool $isPayable, bool $isPaid): string
    {
        if (in_array($status, self::CONDITIONS['status'], true)) {
            return $status;
        }
        return $isPayable ? 'pending' : ($isPaid ? 'processing' : 'other');
    }

    /**
     * Every combination of the conditions' values.
     *
     * @return \Generator<int, array<string, string>>
     */
    public static function allContexts(): \Generator
    {
        $names = array_keys(self::CONDITIONS);
        $counts = array_map('count', array_values(self::CONDITIONS));
        for ($number = 0, $all = array_product($counts); $number < $all; $number += 1) {
            $rest = $number;
            $context = [];
            foreach ($names as $index => $name) {
                $context[$name] = self::CONDITIONS[$name][$rest % $counts[$index]];
                $rest = intdiv($rest, $counts[$index]);
            }
            yield $context;
        }
    }

    /**
     * @param array<string, string[]> $when
     * @param array<string, string>   $situation
     */
    public static function matches(array $when, array $context): bool
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
                throw new \UnexpectedValueException("The values of $name are not the ones that this version knows.");
            }
        }
        foreach ($this->rules as $index => $rule) {
            $this->checkRule($index + 1, $rule);
        }
        foreach (array_merge($this->notes, $this->phrases, $this->differences, $this->reasons) as $text) {
            preg_match_all('/\{(\w+)\}/', $text, $found);
            if (array_diff($found[1], self::PLACEHOLDERS) !== []) {
                throw new \UnexpectedValueException("A text has a placeholder that no note knows: $text");
            }
        }
    }

    /** @param array<string, mixed> $rule */
    private function checkRule(int $number, array $rule): void
    {
        $isCancel = ($rule['action'] ?? null) === 'cancel_attempt';
        $isRefused = !in_array($rule['action'] ?? null, self::ACTIONS, true)
            || (isset($rule['note']) && !isset($this->notes[$rule['note']]))
            || (isset($rule['reason']) && !isset($this->reasons[$rule['reason']]))
            || $isCancel !== isset($rule['reason'])
            || array_diff_key($rule['when'] ?? ['?' => 1], self::CONDITIONS) !== []
            || array_diff(array_keys($rule), ['when', 'action', 'note', 'reason', 'cancel_current', 'attention']) !== [];
        if ($isRefused) {
            throw new \UnexpectedValueException("Rule $number is refused.");
        }
        foreach ($rule['when'] as $name => $values) {
            if (array_diff($values, self::CONDITIONS[$name]) !== []) {
                throw new \UnexpectedValueException("Rule $number knows another value of $name.");
            }
        }
    }
}
