<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\JsonNumber;
use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/** A state change of a payment, learned from a webhook or from the API, or a change of the shop's order. */
final class PaymentEvent
{
    private const ORDER_EVENTS = ['pos.order.paid', 'pos.order.expired', 'pos.order.cancelled', 'pos.order.refunded'];
    private const REFUND_EVENTS = ['refund.completed', 'refund.failed'];

    private const STATUSES = ['PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUND_PENDING', 'REFUNDED'];
    /** Families of events that affect payments. Unknown events of these families are errors; other unknown events are ignored. */
    private const FAMILIES = '/^(pos\.order\.|refund\.)/';

    /** Event name, or `store.changed`. */
    public string $type;
    public string $tillgateOrderId;

    /** Minor units; set only for an order event with a valid amount. */
    public ?int $amountMinor = null;
    public string $currency;
    public ?string $reference = null;

    /** Transaction of the payment, set for refunds too. */
    public ?string $trxId = null;

    /** Set only for `refund.*` events. */
    public ?RemoteRefund $refund = null;

    private function __construct(string $type, string $tillgateOrderId)
    {
        $this->type = $type;
        $this->tillgateOrderId = $tillgateOrderId;
        $this->currency = '';
    }

    /**
     * @param array<string, mixed> $payload decoded body of a verified webhook
     * @return self|null null for events that don't concern orders, such as tests and payouts
     * @throws PluginError UNREADABLE
     */
    public static function fromWebhook(array $payload, Money $money): ?self
    {
        $type = is_string($payload['event'] ?? null) ? $payload['event'] : '';
        $isOrder = in_array($type, self::ORDER_EVENTS, true);
        if (!$isOrder && !in_array($type, self::REFUND_EVENTS, true)) {
            if (preg_match(self::FAMILIES, $type) === 1) {
                throw new PluginError(PluginError::UNREADABLE, "The event $type is unknown, probably from a newer version of Tillgate.");
            }
            return null;
        }
        $data = is_array($payload['data'] ?? null) ? $payload['data'] : [];
        $eventId = is_string($payload['id'] ?? null) ? $payload['id'] : '';
        $tillgateOrderId = self::text($data, 'order_id');
        if ($tillgateOrderId === null || preg_match('/^evt_[0-9A-Za-z]{20,}$/D', $eventId) !== 1) {
            throw new PluginError(PluginError::UNREADABLE, "The event $type has no order ID or no valid event ID.");
        }
        if ($isOrder && !self::isCompleteOrder($data)) {
            throw new PluginError(PluginError::UNREADABLE, "The event $type has a missing or invalid field.");
        }
        $event = new self($type, $tillgateOrderId);
        if ($isOrder) {
            return $event->withOrder($data, 'amount', $money);
        }
        return $event->withRefund(RemoteRefund::fromApi($data, $money));
    }

    /**
     * Derives the events that led to the order's state, in chronological order; none while the order is PENDING.
     * @param array<string, mixed> $order Tillgate order
     * @return self[]
     */
    public static function deriveFromOrder(array $order, Money $money): array
    {
        $events = [
            'EXPIRED' => ['pos.order.expired'],
            'CANCELLED' => ['pos.order.cancelled'],
            'PAID' => ['pos.order.paid'],
            'REFUND_PENDING' => ['pos.order.paid'],
            'REFUNDED' => ['pos.order.paid', 'pos.order.refunded'],
        ];
        return array_map(
            static function (string $type) use ($order, $money): self {
                return (new self($type, (string) $order['order_id']))->withOrder($order, 'raw_amount', $money);
            },
            $events[$order['status']] ?? []
        );
    }

    /** Returns a copy with this refund, its transaction and its currency. */
    public function withRefund(RemoteRefund $refund): self
    {
        $event = clone $this;
        $event->refund = $refund;
        $event->trxId = $refund->transactionId;
        $event->currency = $refund->currency;
        return $event;
    }

    /** Creates the `pos.order.paid` event of an attempt that the shop has recorded as paid. */
    public static function paidBy(Attempt $attempt): self
    {
        $event = new self('pos.order.paid', (string) $attempt->tillgateOrderId);
        $event->amountMinor = $attempt->amountMinor;
        $event->currency = $attempt->currency;
        $event->reference = $attempt->request['reference'] ?? null;
        $event->trxId = $attempt->trxId;
        return $event;
    }

    /** Creates the event of a change to the shop's order, not to the payment. */
    public static function storeChanged(string $tillgateOrderId): self
    {
        return new self('store.changed', $tillgateOrderId);
    }

    /** @param array<string, mixed> $data */
    private function withOrder(array $data, string $amountField, Money $money): self
    {
        $this->currency = self::text($data, 'currency') ?? '';
        $this->amountMinor = $money->parseApiAmount($data[$amountField] ?? null, $this->currency);
        $this->reference = self::text($data, 'reference');
        $this->trxId = self::text($data, 'trx_id');
        return $this;
    }

    /** Whether the data has all fields of an order event. Additional fields are allowed. @param array<string, mixed> $data */
    private static function isCompleteOrder(array $data): bool
    {
        $isNumber = static function ($value): bool {
            return is_int($value) || $value instanceof JsonNumber;
        };
        $isTextOrNull = static function (string $name) use ($data): bool {
            return array_key_exists($name, $data) && ($data[$name] === null || is_string($data[$name]));
        };
        return $isNumber($data['amount'] ?? null)
            && is_string($data['currency'] ?? null)
            && in_array($data['status'] ?? null, self::STATUSES, true)
            && $isTextOrNull('reference')
            && $isTextOrNull('trx_id')
            && $isNumber($data['refunded_amount'] ?? null)
            && is_int($data['version'] ?? null) && $data['version'] > 0;
    }

    /** @param array<string, mixed> $data */
    private static function text(array $data, string $name): ?string
    {
        return is_string($data[$name] ?? null) && $data[$name] !== '' ? $data[$name] : null;
    }
}
