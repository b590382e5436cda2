<?php

namespace Tillgate\WooCommerce\Rules;

use Tillgate\WooCommerce\Shop\Orders;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/**
 * Evaluates comparison.json, which the connector for headless shops also uses: how a payment and its store order differ, what the
 * merchant can do, and whether the difference can be repaired automatically.
 */
final class ComparisonRules
{
    public const CONDITIONS = [
        'order' => [
            'tillgate' => ['open', 'ended', 'paid', 'refunded', 'missing'],
            'status' => Rules::CONDITIONS['status'],
            'payment' => ['none', 'this', 'sibling', 'other'],
            'attempt' => ['current', 'older'],
            'method' => ['tillgate', 'other'],
            'amount' => ['same', 'different'],
            'currency' => ['same', 'different'],
            'applied' => ['yes', 'no'],
            'age' => ['fresh', 'settled'],
            'sum' => ['same', 'different', 'reported'],
        ],
        'refund' => [
            'record' => ['none', 'one', 'several'],
            'amount' => ['same', 'different'],
            'status' => Rules::CONDITIONS['status'],
            'room' => ['yes', 'no'],
            'applied' => ['yes', 'no'],
            'age' => ['fresh', 'settled'],
        ],
        'record' => [
            'sent' => ['no', 'calling', 'pending', 'completed', 'failed', 'refused', 'ignored', 'unknown'],
            'age' => ['fresh', 'settled'],
        ],
    ];

    public const FIELDS = [
        'order' => ['state', 'transaction', 'amount', 'currency', 'refunded'],
        'refund' => ['refund'],
        'record' => ['refund'],
    ];

    public const REPAIRS = ['apply_order', 'cancel_open', 'record_refund'];

    private const PLACEHOLDERS = [
        'status',
        'store_total',
        'amount',
        'trx_id',
        'transaction',
        'tillgate_order',
        'remote_status',
        'refunded',
        'store_refunded',
        'refund',
        'refund_amount',
        'store_refund',
        'store_refund_amount',
    ];

    /** @var array<string, mixed> */
    private $file;

    /**
     * @param array<string, mixed> $file the decoded rules
     * @throws \UnexpectedValueException if a name is unknown, a text is missing or a field has no fallback rule
     */
    private function __construct(array $file)
    {
        $this->file = $file;
        foreach (self::CONDITIONS as $subject => $conditions) {
            $this->check($subject, $conditions);
        }
    }

    /** Reads the rules. @throws \UnexpectedValueException if the file is unreadable or invalid */
    public static function load(string $path): self
    {
        // phpcs:ignore WordPress.WP.AlternativeFunctions.file_get_contents_file_get_contents -- A file of this plugin.
        $text = is_readable($path) ? file_get_contents($path) : false;
        $file = is_string($text) ? json_decode($text, true) : null;
        if (!is_array($file) || ($file['version'] ?? null) !== 1) {
            throw new \UnexpectedValueException('The comparison rules could not be read.');
        }
        return new self($file);
    }

    /** Returns the age, in seconds, below which a change may still be in progress. */
    public function freshSeconds(): int
    {
        return (int) $this->file['fresh_seconds'];
    }

    /**
     * Returns the differences of a subject.
     *
     * @param string                $subject one of CONDITIONS
     * @param array<string, string> $context a value for each condition of the subject
     * @return array<int, array{field: string, kind: string, repair: string|null}> at most one per field
     */
    public function compare(string $subject, array $context): array
    {
        $differences = [];
        foreach (self::FIELDS[$subject] as $field) {
            foreach ($this->file['subjects'][$subject]['fields'][$field] as $rule) {
                if (!Rules::matches($rule['when'], $context)) {
                    continue;
                }
                if ($rule['difference'] !== null) {
                    $differences[] = ['field' => $field, 'kind' => $rule['difference'], 'repair' => $rule['repair'] ?? null];
                }
                break;
            }
        }
        return $differences;
    }

    /**
     * Describes a difference in the current language.
     *
     * @param array<string, string> $fields values of the placeholders; `status` is an order status without `wc-`
     */
    public function text(string $kind, array $fields): string
    {
        if (isset($fields['status'])) {
            $fields['status'] = Orders::statusName($fields['status']);
        }
        if (isset($fields['remote_status'])) {
            $fields['remote_status'] = self::paymentStatusName($fields['remote_status']);
        }
        return self::fillPlaceholders(self::translate($this->file['differences'][$kind]['text']), $fields);
    }

    /** Returns the name of a payment's status in Tillgate. Differences show only these statuses. */
    private static function paymentStatusName(string $status): string
    {
        $names = [
            'expired' => __('expired', 'tillgate-for-woocommerce'),
            'cancelled' => __('cancelled', 'tillgate-for-woocommerce'),
            'refunded' => __('refunded', 'tillgate-for-woocommerce'),
        ];
        return $names[$status] ?? $status;
    }

    /** Returns what the merchant can do about a difference. */
    public function advice(string $kind): string
    {
        return self::translate($this->file['differences'][$kind]['advice']);
    }

    /** Returns the label of a repair's button. */
    public function label(string $repair): string
    {
        return self::translate($this->file['repairs'][$repair]['label']);
    }

    /** @param array<string, string> $fields */
    public function phrase(string $name, array $fields = []): string
    {
        return self::fillPlaceholders(self::translate($this->file['phrases'][$name]), $fields);
    }

    private static function translate(string $text): string
    {
        // phpcs:ignore WordPress.WP.I18n.NonSingularStringLiteralText -- The build collects the texts of the rules.
        return __($text, 'tillgate-for-woocommerce');
    }

    /** @param array<string, string> $fields missing ones are replaced by "unknown" */
    private static function fillPlaceholders(string $text, array $fields): string
    {
        $values = [];
        foreach (self::PLACEHOLDERS as $name) {
            $values['{' . $name . '}'] = $fields[$name] ?? __('unknown', 'tillgate-for-woocommerce');
        }
        return strtr($text, $values);
    }

    /** @param array<string, string[]> $known */
    private function check(string $subject, array $known): void
    {
        $read = $this->file['subjects'][$subject] ?? [];
        $conditions = array_map(static function (array $condition): array {
            return $condition['values'];
        }, $read['conditions'] ?? []);
        if (!self::isSame(array_keys($conditions), array_keys($known)) || !self::isSame(array_keys($read['fields'] ?? []), self::FIELDS[$subject])) {
            throw new \UnexpectedValueException("Unexpected conditions or fields for $subject.");
        }
        foreach ($known as $name => $values) {
            if (!self::isSame($conditions[$name], $values)) {
                throw new \UnexpectedValueException("Unexpected values of $subject $name.");
            }
        }
        foreach ($read['fields'] as $field => $rules) {
            foreach ($rules as $rule) {
                $this->checkRule("$subject $field", $rule, $known);
            }
            if ($rules === [] || end($rules)['when'] !== []) {
                throw new \UnexpectedValueException("The last rule of $subject $field must be unconditional.");
            }
        }
    }

    /**
     * @param array<string, mixed>    $rule
     * @param array<string, string[]> $known
     */
    private function checkRule(string $location, array $rule, array $known): void
    {
        $repair = $rule['repair'] ?? null;
        $isInvalid = ($rule['difference'] !== null && !isset($this->file['differences'][$rule['difference']]))
            || ($repair !== null && (!in_array($repair, self::REPAIRS, true) || !isset($this->file['repairs'][$repair]) || $rule['difference'] === null));
        foreach ($rule['when'] as $name => $values) {
            $isInvalid = $isInvalid || array_diff($values, $known[$name] ?? []) !== [];
        }
        if ($isInvalid) {
            throw new \UnexpectedValueException("A rule of $location has an unknown condition, difference or repair.");
        }
    }

    /**
     * @param string[] $first
     * @param string[] $second
     */
    private static function isSame(array $first, array $second): bool
    {
        return array_diff($first, $second) === [] && array_diff($second, $first) === [];
    }
}
